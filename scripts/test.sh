#!/bin/sh
# Everything that must hold before a change lands: installs what is missing, then
#   formatting; the release build with warnings as errors; its unit and whole-binary tests;
#   the unit tests under address and undefined-behaviour sanitizers; every figure of the article.
# Ends with the summary of the last ctest run, whose tests include all of it.
set -eu
cd "$(dirname "$0")/.."

scripts/install_packages.sh

# shellcheck disable=SC2046  # one word a file
clang-format --dry-run --Werror $(find src experiments tests -name '*.hpp' -o -name '*.cpp')

cmake --preset debug >/dev/null
cmake --build --preset debug --target unit_tests
ctest --preset debug -L unit -j "$(nproc)" --output-on-failure

cmake --preset release >/dev/null
cmake --build --preset release
build/release/sigstab check
ctest --preset release -j "$(nproc)" --output-on-failure
