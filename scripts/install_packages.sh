#!/bin/sh
# Installs what is missing, by apt: what building and testing need. Does nothing where all is there.
#
# usage: install_packages.sh [PACKAGE...]    further packages, such as python3-numpy
set -eu

packages="g++ cmake ninja-build git libcli11-dev libfmt-dev nlohmann-json3-dev libopenblas-dev libhwy-dev
  libgtest-dev gnuplot-nox clang-format python3 $*"

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # a list of words
$sudo apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 ||
  { $sudo apt-get update >/dev/null && $sudo apt-get install -y --no-install-recommends $missing >/dev/null; }
