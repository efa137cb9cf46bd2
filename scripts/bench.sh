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
cmake --build --preset release --target sigstab draws_bench stacks_bench checkpoint_bench >&2

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
echo "## Passes beside the same sgemm calls, and the machine's limits: build/release/bench/stacks_bench"
build/release/bench/stacks_bench --benchmark_min_time=1 2>/dev/null |
  awk '/^(limit|stack)/ { for (i = 2; i <= 6; ++i) $i = ""; gsub(/  +/, "  "); print }'
echo
echo "## Checkpoints beside reading them: build/release/bench/checkpoint_bench"
for format in BF16 F32; do
  echo "$format"
  build/release/bench/checkpoint_bench "$format" --benchmark_min_time=1 2>/dev/null |
    awk '/^(limit|read|inspect)/ { for (i = 2; i <= 6; ++i) $i = ""; gsub(/  +/, "  "); print }'
done
echo
echo "## Growth: scripts/bench_growth.py build/release/sigstab"
/usr/bin/python3 scripts/bench_growth.py build/release/sigstab
