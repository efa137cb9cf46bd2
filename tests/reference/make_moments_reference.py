#!/usr/bin/env python3
"""Writes moments_reference.json: exact moments of vectors that overflow or underflow when squared.

Only Python's own fractions and decimals: sums are exact, the root has 60 digits, and one rounding to a
double comes last. Run it from anywhere: python3 tests/reference/make_moments_reference.py
"""

import json
import pathlib
import random
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
getcontext().Emax, getcontext().Emin = 10**6, -(10**6)


def root(square):
    return float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def row(name, values, dtype="float64"):
    squares = sum(Fraction(v) ** 2 for v in values)
    total = sum(Fraction(v) for v in values)
    try:
        norm = root(squares).hex()
    except OverflowError:
        norm = "inf"
    if norm == float("inf").hex():
        norm = "inf"
    return {
        "name": name, "dtype": dtype, "values": [float(v).hex() for v in values],
        "root_mean_square": root(squares / len(values)).hex(), "euclidean_norm": norm,
        "mean": float(total / len(values)).hex(),
    }


def main():
    rng = random.Random(0)
    top, tiny = 1.7976931348623157e308, 5e-324
    f32_tiny, f32_top = 2.0**-149, float(2**128 - 2**104)

    def mixed(n, low, high):
        return [rng.choice([-1, 1]) * rng.uniform(1, 10) * 10.0 ** rng.randint(low, high) for _ in range(n)]

    rows = [
        row("one", [1.0]), row("zeros", [0.0, -0.0, 0.0]), row("3 4", [3.0, 4.0]), row("top", [top]),
        row("tops", [top] * 9), row("top of both signs", [top, -top] * 4), row("1e308", [1e308, 1e308, -1e308]),
        row("smallest", [tiny]), row("smallest and zeros", [tiny] + [0.0] * 20), row("smallest many", [tiny] * 200),
        row("subnormals", [k * tiny for k in range(1, 60)]), row("1e-200", [1e-200] * 17),
        row("top and smallest", [top, tiny, 1.0]), row("1e154 and 1e-154", [1e154, 1e-154] * 8),
        row("squares at the edge of underflow", [1e-162] * 33), row("edge of the direct sum", [1e-125] * 10),
        row("edge below", [0.9e-125] + [1e-163] * 300), row("edge of overflow", [1e150] * 100),
        row("gaussian", [rng.gauss(0, 1) for _ in range(1000)]), row("ones", [1.0] * 512),
        row("a tenth", [0.1] * 777), row("tiny beside one", [1.0] + [1e-9] * 1500),
        row("cancelling", [1e16, 1.0, -1e16, 1.0]),
        row("float32 smallest", [f32_tiny] * 9, "float32"), row("float32 top", [f32_top] * 9, "float32"),
        row("float32 subnormals", [k * f32_tiny for k in range(1, 60)], "float32"),
        row("float32 mixed", [f32_top, f32_tiny, 1.0, -f32_top], "float32"),
        row("float32 powers", [2.0**k for k in range(-149, 128)], "float32"),
    ]
    for n in (1, 7, 8, 9, 63, 64, 65, 257):
        rows.append(row(f"mixed magnitudes, {n}", mixed(n, -320, 307)))
        rows.append(row(f"large, {n}", mixed(n, 290, 306)))
        rows.append(row(f"small, {n}", mixed(n, -323, -150)))
    path = pathlib.Path(__file__).with_name("moments_reference.json")
    with path.open("w") as file:
        file.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


if __name__ == "__main__":
    main()
