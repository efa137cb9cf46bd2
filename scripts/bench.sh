#!/bin/sh
# All benchmarks side by side in one run: whole programs against NumPy and PyTorch, draws against the
# libraries' own, and how time and memory grow. Prints a record to keep under docs/benchmarks/.
#
# usage: scripts/bench.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-10}

scripts/install_packages.sh python3-numpy python3-torch libbenchmark-dev >&2
cmake --preset release -DSIGSTAB_BENCH=ON >/dev/null
cmake --build --preset release --target sigstab draws_bench >&2

echo "## Machine and versions"
grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //'
echo "$(nproc) cores, $(date +%Y-%m-%d)"
build/release/sigstab --version
/usr/bin/python3 -c 'import numpy, torch; print("numpy", numpy.__version__, "torch", torch.__version__)'
echo
echo "## Whole programs: scripts/bench_programs.py build/release/sigstab --rounds $rounds"
/usr/bin/python3 scripts/bench_programs.py build/release/sigstab --rounds "$rounds"
echo
echo "## Draws: scripts/bench_draws.py build/release/bench/draws_bench --rounds $rounds"
/usr/bin/python3 scripts/bench_draws.py build/release/bench/draws_bench --rounds "$rounds"
echo
echo "## Growth: scripts/bench_growth.py build/release/sigstab"
/usr/bin/python3 scripts/bench_growth.py build/release/sigstab
