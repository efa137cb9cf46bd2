#!/usr/bin/python3
"""Times our draws against NumPy's and PyTorch's own, side by side in one run.

Needs Debian's python3-numpy and python3-torch and the benchmark of bench/draws_bench.cpp
(-DSIGSTAB_BENCH=ON). All draw 16384 elements at a time into the same tensor, on one thread; the
programs take turns, so that a slower minute of a shared machine hits all of them. Printed are
nanoseconds per element, minima and medians over all rounds, and how many times faster we are.

    scripts/bench_draws.py build/release/bench/draws_bench [--rounds N] [--target avx2]
"""
import argparse
import json
import statistics
import subprocess
import time

import numpy
import torch

ELEMENTS = 16384
SECONDS = 0.15  # for each row of each round


def library_calls():
    """The library's own call for each row; philox has none."""
    torch.set_num_threads(1)
    generator = numpy.random.default_rng(0)
    calls = {}
    for dtype in ("float32", "float64"):
        a = numpy.empty(ELEMENTS, dtype=dtype)
        x = torch.empty(ELEMENTS, dtype=getattr(torch, dtype))
        calls[f"numpy/normal/{dtype}"] = (
            lambda a=a, dtype=dtype: generator.standard_normal(out=a, dtype=dtype))
        calls[f"numpy/uniform/{dtype}"] = (
            lambda a=a, dtype=dtype: generator.random(out=a, dtype=dtype))
        calls[f"torch/normal/{dtype}"] = lambda x=x: x.normal_()
        calls[f"torch/uniform/{dtype}"] = lambda x=x: x.uniform_(0, 1)
    calls["numpy/integers/int64"] = lambda: generator.integers(0, 100, ELEMENTS)
    y = torch.empty(ELEMENTS, dtype=torch.int64)
    calls["torch/integers/int64"] = lambda: torch.randint(100, (ELEMENTS,), out=y)
    return calls


def time_calls(call):
    """Minimum and median nanoseconds per element."""
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return min(times) / ELEMENTS, statistics.median(times) / ELEMENTS


def time_ours(tool, target):
    command = [tool, *([f"--target={target}"] if target else []), "--benchmark_format=json",
               f"--benchmark_min_time={SECONDS}"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {row["name"]: (row["min_ns"], row["median_ns"])
            for row in json.loads(output)["benchmarks"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", help="the draws_bench program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--target", help="the vector target to force (random/vector_targets.hpp)")
    arguments = parser.parse_args()

    calls = library_calls()
    ours, theirs = {}, {}
    for _ in range(arguments.rounds):
        for name, call in calls.items():
            theirs.setdefault(name, []).append(time_calls(call))
        for name, timing in time_ours(arguments.tool, arguments.target).items():
            ours.setdefault(name, []).append(timing)

    print(f"numpy {numpy.__version__}, torch {torch.__version__}; ns per element, "
          f"{arguments.rounds} rounds")
    print(f"{'':24}{'minimum':^25}{'median':^25}")
    print(f"{'':24}{'ours':>8}{'theirs':>8}{'ratio':>8} {'ours':>8}{'theirs':>8}{'ratio':>8}")
    for name, rows in ours.items():
        best, median = min(row[0] for row in rows), statistics.median(row[1] for row in rows)
        if name not in theirs:
            print(f"{name:24}{best:8.3f}{'':17}{median:8.3f}")
            continue
        their_best = min(row[0] for row in theirs[name])
        their_median = statistics.median(row[1] for row in theirs[name])
        print(f"{name:24}{best:8.3f}{their_best:8.3f}{their_best / best:8.1f} "
              f"{median:8.3f}{their_median:8.3f}{their_median / median:8.1f}")


if __name__ == "__main__":
    main()
