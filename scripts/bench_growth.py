#!/usr/bin/python3
"""How sigstab's time and memory grow with width, depth, tokens, seeds and threads.

usage: bench_growth.py SIGSTAB [--rounds N]

Whole processes, forward and backward, minima of N runs. One key is changed at a time from the base below; ns a
weight is the time over all weight passes (two for each weight: forward and backward).
"""
import argparse, json, os, subprocess, tempfile, time

BASE = {"width": 1024, "depth": 50, "activation": "relu", "init": "he", "dtype": "float32", "random": {"generator": "torch"}}
VARIATIONS = [("width", [256, 512, 1024, 2048, 4096]), ("depth", [10, 50, 250]), ("tokens", [1, 16, 64, 256]),
              ("seeds", [1, 2, 4, 8]), ("threads", [1, 2]), ("generator", ["torch", "numpy", "philox"]),
              ("dtype", ["float32", "float64"])]


def measure(sigstab, config, threads, rounds):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(config, file)
        file.flush()
        best, peak = float("inf"), 0
        for _ in range(rounds):
            start = time.perf_counter()
            process = subprocess.Popen([sigstab, "run", file.name, "--threads", str(threads)], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0
            best = min(best, time.perf_counter() - start)
            peak = max(peak, usage.ru_maxrss / 1024)
        return best, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sigstab")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'changed':20} {'seconds':>9} {'ns a weight':>12} {'peak MB':>8}")
    for key, values in VARIATIONS:
        for value in values:
            config, threads = json.loads(json.dumps(BASE)), 1
            if key == "seeds":
                config["seeds"] = {"from": 0, "count": value}
            elif key == "threads":
                threads = value
            elif key == "generator":
                config["random"]["generator"] = value
            else:
                config[key] = value
            seconds, peak = measure(arguments.sigstab, config, threads, arguments.rounds)
            passes = 2 * config["width"] ** 2 * config["depth"] * (value if key == "seeds" else 1)
            print(f"{key + ' ' + str(value):20} {seconds:9.3f} {1e9 * seconds / passes:12.3f} {peak:8.1f}")
    # 67 GB of weights, one run with one thread and one with two.
    deep = json.loads(json.dumps(BASE)) | {"width": 4096, "depth": 1000}
    for threads in (1, 2):
        seconds, peak = measure(arguments.sigstab, deep, threads, 1)
        print(f"{f'1000 x 4096, {threads} thr.':20} {seconds:9.3f} {1e9 * seconds / (2 * 4096**2 * 1000):12.3f} {peak:8.1f}")


main()
