#!/bin/sh
# From a fresh Debian 12 machine to the article's experiments: installs what is missing, builds the release,
# checks every figure and prints what the article's programs print.
set -eu
cd "$(dirname "$0")/.."

scripts/install_packages.sh
cmake --preset release >/dev/null
cmake --build --preset release --target sigstab

for name in linear-depth relu-depth norm-arithmetic tanh-residual; do
  printf '\n$ build/release/sigstab run %s --format article\n' "$name"
  build/release/sigstab run "$name" --format article
done
printf '\n$ build/release/sigstab check\n'
build/release/sigstab check
