#!/bin/sh
# Makes the Debian package of a release build, unpacks it into a temporary folder and tries what is in it. Nothing is
# installed but the tools that this needs.
#
# usage: test_package.sh [BUILD]    build/release by default, which is built first if need be
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}

scripts/install_packages.sh dpkg-dev lintian man-db
[ -f "$build/CMakeCache.txt" ] || cmake --preset release >/dev/null
cmake --build "$build" --target sigstab made_files package_documents >/dev/null

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

(cd "$build" && cpack -G DEB -B "$folder") >"$folder/cpack" 2>&1 || fail "cpack: $(cat "$folder/cpack")"
package=$(echo "$folder"/sigstab_*.deb)
version=$(dpkg-deb -f "$package" Version)
architecture=$(dpkg --print-architecture)
[ "$(basename "$package")" = "sigstab_${version}_$architecture.deb" ] || fail "its name is $package"

depends=$(dpkg-deb -f "$package" Depends)
for wanted in 'libopenblas0-pthread | libopenblas0' libc6 libfmt libhwy libstdc++6; do
  case $depends in
  *"$wanted"*) ;;
  *) fail "it does not depend on $wanted but on $depends" ;;
  esac
done
[ "$(dpkg-deb -f "$package" Suggests)" = gnuplot ] || fail "it does not suggest gnuplot"

dpkg-deb -x "$package" "$folder/root"
usr=$folder/root/usr
for file in bin/sigstab share/man/man1/sigstab.1.gz share/bash-completion/completions/sigstab \
  share/zsh/vendor-completions/_sigstab share/fish/vendor_completions.d/sigstab.fish \
  share/sigstab/sigstab.schema.json share/doc/sigstab/copyright share/doc/sigstab/changelog.gz \
  share/doc/sigstab/README.md share/doc/sigstab/docs/commands.md share/doc/sigstab/examples/gpt2-small.json \
  share/doc/sigstab/examples/article/relu-depth.json; do
  [ -s "$usr/$file" ] || fail "it has no $file"
done

# In a folder that is not the checkout, as after an installation.
cd "$folder"
PATH=$usr/bin:$PATH
sigstab --version | grep -q "^sigstab $version " || fail "sigstab --version"
sigstab run relu-depth --format article | grep -q '^2/d (He) .* gradient at input: 0.822$' || fail "sigstab run"
sigstab validate "$usr"/share/doc/sigstab/examples/*.json "$usr"/share/doc/sigstab/examples/article/*.json >validated ||
  fail "an example is no config"
sigstab schema | cmp - "$usr/share/sigstab/sigstab.schema.json" || fail "the schema is another"
MANPATH=$usr/share/man man --warnings sigstab >page 2>warnings || fail "no man page"
[ ! -s warnings ] || fail "the man page: $(cat warnings)"
grep -q 'sigstab run \[OPTION\]' page || fail "the man page does not tell of run"
sigstab completion bash | cmp - "$usr/share/bash-completion/completions/sigstab" || fail "the completion is another"

# Only the address is left to whoever builds it.
lintian --fail-on warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$package" 2>lint >&2 ||
  fail "lintian: $(cat lint)"

# cmake --install puts the same there.
cd - >/dev/null
cmake --install "$build" --prefix "$folder/usr" >/dev/null
(cd "$folder/usr" && find . -type f | sort) >"$folder/installed"
(cd "$usr" && find . -type f | sort) >"$folder/packed"
cmp "$folder/installed" "$folder/packed" || fail "cmake --install has other files"
echo "package: $(basename "$package") is complete and runs"
