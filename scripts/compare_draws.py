#!/usr/bin/python3
"""Compares our streams with NumPy and PyTorch themselves, 10^8 draws of each kind and dtype.

Needs Debian's python3-numpy and python3-torch and the tool tests/tools/draw_dump.cpp. NumPy
streams, uniforms and integers must agree in every byte; PyTorch's float32 normals within 4e-7
absolute plus 4e-7 relative, its float64 normals within 4 ulp. Exit code 1 on any mismatch.

    scripts/compare_draws.py build/release/tests/draw_dump [--draws N] [--seeds 0 42 ...]
        [--target avx2] [--libraries numpy torch]
"""
import argparse
import random
import subprocess
import sys
from typing import NamedTuple

import numpy
import torch

PIECE = 1 << 22  # elements compared at a time
NUMPY_CHUNK = 1_000_000  # elements of one NumPy call; its streams go on from call to call
TOLERANCE = 4e-7
MAX_ULP = 4


class Call(NamedTuple):
    """One draw of one tensor; draw_dump.cpp gives the meaning of the fields."""

    kind: str
    dtype: str
    count: int
    parameters: tuple = ()
    repeats: int = 1

    def text(self):
        fields = [self.kind, self.dtype, self.count, *map(repr, self.parameters)]
        return ":".join(map(str, fields)) + f"x{self.repeats}"


class NumpyLibrary:
    def __init__(self, seed):
        self.generator = numpy.random.default_rng(seed)

    def draw(self, call):
        if call.kind == "normal":
            return self.generator.standard_normal(call.count, dtype=call.dtype)
        if call.kind == "integers":
            return self.generator.integers(0, call.parameters[0], call.count)
        low, high = call.parameters
        if call.dtype == "float64":
            return self.generator.uniform(low, high, call.count)
        return low + (high - low) * self.generator.random(call.count, dtype=call.dtype)


class TorchLibrary:
    def __init__(self, seed):
        self.generator = torch.Generator()
        self.generator.manual_seed(seed)

    def draw(self, call):
        dtype = getattr(torch, call.dtype)
        if call.kind == "normal":
            drawn = torch.randn(call.count, dtype=dtype, generator=self.generator)
        elif call.kind == "integers":
            drawn = torch.randint(call.parameters[0], (call.count,), generator=self.generator)
        else:
            drawn = torch.empty(call.count, dtype=dtype)
            drawn.uniform_(*call.parameters, generator=self.generator)
        return drawn.numpy()


LIBRARIES = {"numpy": NumpyLibrary, "torch": TorchLibrary}


def errors(library, call, ours, theirs):
    """Mismatches, worst error and its unit."""
    if library == "torch" and call.kind == "normal":
        exact = theirs.astype(numpy.float64)
        distance = numpy.abs(ours.astype(numpy.float64) - exact)
        if call.dtype == "float32":
            scaled, limit, unit = distance / (1 + numpy.abs(exact)), TOLERANCE, "/(1+|x|)"
        else:
            scaled, limit, unit = distance / numpy.spacing(numpy.abs(exact)), MAX_ULP, "ulp"
        # Not (> limit), so that a nan is a mismatch.
        return int(numpy.sum(~(scaled <= limit))), float(scaled.max(initial=0.0)), unit
    if ours.tobytes() == theirs.tobytes():
        return 0, 0.0, "exact"
    differ = ours.view(f"u{ours.itemsize}") != theirs.view(f"u{theirs.itemsize}")
    distance = numpy.abs(ours.astype(numpy.float64) - theirs.astype(numpy.float64))
    return int(numpy.sum(differ)), float(distance.max()), "exact"


def compare(tool, library, seed, calls):
    """Draws, mismatches, and the worst error by its unit, over calls made one after another."""
    command = [*tool, library, str(seed), *(call.text() for call in calls)]
    reference = LIBRARIES[library](seed)
    draws = mismatches = 0
    worst = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for call in (call for call in calls for _ in range(call.repeats)):
            theirs = numpy.ascontiguousarray(reference.draw(call))
            assert theirs.dtype == call.dtype
            for start in range(0, call.count, PIECE):
                piece = theirs[start : start + PIECE]
                raw = process.stdout.read(piece.nbytes)
                if len(raw) != piece.nbytes:
                    sys.exit(f"compare_draws: error: draw_dump stopped early: {call.text()}")
                ours = numpy.frombuffer(raw, dtype=piece.dtype)
                wrong, error, unit = errors(library, call, ours, piece)
                draws += len(piece)
                mismatches += wrong
                worst[unit] = max(worst.get(unit, 0.0), error)
        if process.stdout.read(1):
            sys.exit("compare_draws: error: draw_dump wrote too much")
    if process.returncode != 0:
        sys.exit(f"compare_draws: error: draw_dump exited with {process.returncode}")
    return draws, mismatches, worst


def mixed_calls(seed, count, sizes):
    """Many calls of all kinds in a random order: what one leaves behind, the next must find."""
    chooser = random.Random(seed)
    kinds = [
        ("normal", "float32", ()),
        ("normal", "float64", ()),
        ("uniform", "float32", (-0.1, 0.1)),
        ("uniform", "float64", (-1 / 3, 0.7)),
        ("integers", "int64", (100,)),
        ("integers", "int64", (1,)),
        ("integers", "int64", (3_000_000_000,)),
        ("integers", "int64", (2**32 - 1,)),
    ]
    calls = []
    for _ in range(count):
        kind, dtype, parameters = chooser.choice(kinds[:2] if chooser.random() < 0.6 else kinds)
        calls.append(Call(kind, dtype, chooser.choice(sizes), parameters))
    return calls


def rows(seed, draws, libraries):
    """What is compared: a title, a library and its calls."""
    plain = [
        ("normal float64", Call("normal", "float64", draws)),
        ("normal float32", Call("normal", "float32", draws)),
        ("uniform float64", Call("uniform", "float64", draws, (-0.1, 0.7))),
        ("uniform float32", Call("uniform", "float32", draws, (-0.1, 0.7))),
        ("integers below 100", Call("integers", "int64", draws, (100,))),
        ("integers below 3e9", Call("integers", "int64", draws, (3_000_000_000,))),
    ]
    for library in libraries:
        for title, call in plain:
            if library == "numpy":
                chunk = min(NUMPY_CHUNK, draws)
                call = call._replace(count=chunk, repeats=draws // chunk)
            yield title, library, [call]
        yield "mixed, 1 to 15", library, mixed_calls(seed, 20_000, range(1, 16))
        yield "mixed, 0 to 100", library, mixed_calls(seed + 1, 20_000, range(0, 101))
        odd = [16, 17, 31, 32, 33, 623, 624, 625, 1000, 4097, 99_991]
        yield "mixed, odd sizes", library, mixed_calls(seed + 2, 1_000, odd)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", help="the draw_dump program")
    parser.add_argument("--draws", type=int, default=10**8)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--target", help="the vector target to force (random/vector_targets.hpp)")
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    arguments = parser.parse_args()
    tool = [arguments.tool, *(["--target", arguments.target] if arguments.target else [])]

    print(f"numpy {numpy.__version__}, torch {torch.__version__}")
    print(f"{'seed':>20} {'stream':25} {'draws':>11} {'mismatches':>10}  worst error")
    failed = False
    for seed in arguments.seeds:
        for title, library, calls in rows(seed, arguments.draws, arguments.libraries):
            if library == "torch" and seed >= 2**64:
                continue  # PyTorch takes no such seed
            draws, mismatches, worst = compare(tool, library, seed, calls)
            failed = failed or mismatches != 0
            error = ", ".join(f"{value:.3g} {unit}" for unit, value in sorted(worst.items()))
            shown = str(seed) if len(str(seed)) <= 20 else str(seed)[:17] + "..."
            print(f"{shown:>20} {library + ' ' + title:25} {draws:>11} {mismatches:>10}  {error}",
                  flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
