#!/bin/sh
# The pages of `sigstab report` in headless Chromium, which scripts/test.sh leaves out.
#
# usage: test_browser.sh [DIR]    DIR: where screenshots and the printed page are left, to look at
set -eu
cd "$(dirname "$0")/.."

scripts/install_browser.sh

cmake --preset release >/dev/null
cmake --build --preset release --target sigstab
if [ $# -gt 0 ]; then
  python3 tests/report/browser_test.py build/release/sigstab --keep "$1"
else
  ctest --preset browser
fi
