#!/usr/bin/python3
"""The article's programs against sigstab: whole process against whole process, in turn, in one run.

usage: bench_programs.py SIGSTAB [--rounds N] [--only NAME]

Each round runs every program once in Python and once in sigstab, so that noise of the machine falls on both alike.
Prints minima, medians and their ratios, the quartiles of the per-round ratio, and peak resident memory. `import` is
the same interpreter importing the library and doing nothing: less it, Python's time is the work alone.
Needs python3-numpy and python3-torch. Stops if the outputs differ.
"""
import argparse, os, pathlib, statistics, subprocess, sys, time

PROGRAMS_FOLDER = pathlib.Path(__file__).resolve().parent.parent / "bench" / "programs"
PROGRAMS = {"linear-depth": "numpy", "relu-depth": "torch", "norm-arithmetic": "numpy", "tanh-residual": "torch"}


def timed(command):
    """Seconds, peak bytes and stdout of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command} failed")
    return seconds, usage.ru_maxrss * 1024, output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sigstab")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", choices=PROGRAMS)
    arguments = parser.parse_args()
    python = "/usr/bin/python3"
    names = [arguments.only] if arguments.only else list(PROGRAMS)
    times = {}
    for _ in range(arguments.rounds):
        for name in names:
            theirs = timed([python, str(PROGRAMS_FOLDER / (name.replace("-", "_") + ".py"))])
            ours = timed([arguments.sigstab, "run", name, "--format", "article"])
            imports = timed([python, "-c", f"import {PROGRAMS[name]}"])
            if theirs[2] != ours[2]:
                sys.exit(f"{name}: the outputs differ:\n{theirs[2].decode()}\n{ours[2].decode()}")
            times.setdefault(name, []).append((theirs, ours, imports))
    print(f"{'program':16} {'python min':>11} {'median':>8} {'sigstab min':>12} {'median':>8} {'ratio of minima':>16} "
          f"{'of medians':>11} {'quartiles':>15} {'work alone':>11} {'peak MB':>14}")
    total = [0.0, 0.0]
    for name, rounds in times.items():
        theirs, ours, imports = ([r[k][0] for r in rounds] for k in range(3))
        ratios = sorted(t / o for t, o in zip(theirs, ours))
        low, high = ratios[len(ratios) // 4], ratios[(3 * len(ratios)) // 4]
        work = (min(theirs) - min(imports)) / min(ours)
        memory = [max(r[k][1] for r in rounds) / 1e6 for k in range(2)]
        total[0] += min(theirs)
        total[1] += min(ours)
        print(f"{name:16} {min(theirs):10.3f}s {statistics.median(theirs):7.3f}s {min(ours):11.4f}s "
              f"{statistics.median(ours):7.4f}s {min(theirs) / min(ours):16.1f} "
              f"{statistics.median(theirs) / statistics.median(ours):11.1f} {low:7.1f}-{high:<7.1f} {work:11.1f} "
              f"{memory[0]:7.0f} {memory[1]:6.0f}")
    print(f"{'all':16} {total[0]:10.3f}s {'':8} {total[1]:11.4f}s {'':8} {total[0] / total[1]:16.1f}")


main()
