#!/usr/bin/env python3
"""Writes format_reference.json: numbers and texts as Python and NumPy print them.

Needs python3-numpy (any 1.2x or 2.x; written with Python 3.11 and NumPy 1.24). Values are hex floats
(or nan, inf, -inf), so that nothing is lost in text. Run it from anywhere:
    python3 tests/reference/make_format_reference.py
"""

import json
import math
import pathlib
import random

import numpy as np

REALS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 1 / 3, -2 / 3, 2.675, 2.5, 3.5, 0.8041, 23.4, 515.0, 999.5, 9999.5,
    99999.5, 1e-4, 1e-5, 0.000123456789, 123456789.0, 1e15, 1e16, 123456789012345680.0, 1e21, 1e22, 1e23,
    3.86e13, 6.39e67, 8.6e-16, 3.56e-08, 1e100, -1e-100, 1.7976931348623157e308, 5e-324,
    2.2250738585072014e-308, 4.9406564584124654e-322, math.pi, -math.e, 0.00087, 1e-7, 100.0, 1000000.0,
    math.nan, math.inf, -math.inf,
]
REAL_SPECS = [
    "", "g", ".3g", ".0g", ".1g", ".17g", ".6g", "G", ".2G", "f", ".0f", ".3f", "F", ".1F", "e", ".3e", ".0e",
    "E", ".2E", "12.3g", "<12.3g", ">12.3g", "^12.3g", "^13.3g", "+.3g", "-.3g", " .3g", "+", " ", "#.3g",
    "#.0f", "#.0e", "#g", "012.3g", "+012.3f", "<012.3g", "*^15.4f", "=+12.3f", "_=12", "0<12.3f", "20",
    "<20", "^20", "+20", "<5g", "5", "015", "#", ".100g", ".60f",
]
INTEGERS = [0, 1, -1, 7, 48, -512, 1048576, 2**53, 2**63 - 1, -(2**63)]
INTEGER_SPECS = ["", "d", "5", "<8", "^9d", "+", "+d", " d", "08", "+08d", "<08", "*>10", "=+10", "g", ".3g",
                 ".2f", "12.1e", "#d", "#"]
TEXTS = ["", "a", "sigma = 1", "2/d (He)", "\u03c3 = 1/\u221ad", "\u5e45 512", "tab\tend", "{x}"]
TEXT_SPECS = ["", "s", "20", "<20", ">20", "^21", "*^21", ".3", "5.2s", "010", "0>6", "+>6", "->6"]
# What Python refuses.
REFUSED = [
    ("real", 0.5, "d"), ("real", 0.5, "s"), ("integer", 5, "s"), ("integer", 5, ".3"), ("integer", 5, ".3d"),
    ("text", "a", "d"), ("text", "a", "g"), ("text", "a", ".3f"), ("text", "a", "+"), ("text", "a", "-5"),
    ("text", "a", " 5"), ("text", "a", "#"), ("text", "a", "=5"), ("real", 0.5, "5x"), ("real", 0.5, ".g"),
    ("real", 0.5, ".3q"), ("real", 0.5, "<<<5"), ("real", 0.5, "g3"), ("real", 0.5, "5 "),
    ("real", 0.5, "+-g"),
]
ARRAYS = [
    [], [1.0], [0.0, -0.0], [-0.0001, 0.0001], [4, -2, 6, 4], [1 / 3, -5 / 3, 1, 1 / 3], [5, 5, 5, 5],
    [math.nan] * 4, [math.nan, 1.5], [math.inf, -math.inf], [1.0, math.inf], [1.0, -math.inf, math.nan],
    [-123.25, math.nan, math.inf], [math.inf], [-math.inf], [0.94, -0.47, 1.41, 0.94], [100.0, 0.001, 0.0004],
    [99999999.0, 0.5], [1e8, 1.0], [1e8, 2.5e8, 3.125e9], [1e100, 1.0], [1e-300, 1.0], [1e-300, 1e300],
    [-1e8, math.nan, math.inf], [1e9, -math.inf], [5e-324], [1.7976931348623157e308, -1e-5], [1e16, 123.456],
    [1e23, 9.5e22], [12345678.9, -0.125], [0.0005, 0.0015, 0.0025], [2.5, 3.5, 0.5], [1e8 - 0.0001],
]


def exact(value):
    if isinstance(value, float):
        return value.hex() if math.isfinite(value) else repr(value)
    return value


def array_rows():
    rng = random.Random(0)
    arrays = [list(map(float, a)) for a in ARRAYS]
    for length in (5, 9, 10, 11, 12, 13, 25, 40, 100, 1000, 1001):
        arrays.append([rng.gauss(0, 1) for _ in range(length)])
        arrays.append([rng.gauss(0, 1) * 10 ** rng.randint(-3, 6) for _ in range(length)])
        arrays.append([float(rng.randint(-9, 9)) for _ in range(length)])
    arrays.append([rng.gauss(0, 1) * 10 ** rng.randint(-20, 120) for _ in range(30)])
    for length in range(60, 80):  # words of one, wrapping at every column in turn
        arrays.append([10.0 ** (length - 60) if length < 68 else 1.0] + [1.0] * 40)
    for array in arrays:
        for precision in (3,) if len(array) > 200 else (0, 1, 3, 8):
            np.set_printoptions(precision=precision, suppress=True)
            yield {"values": [exact(v) for v in array], "precision": precision, "text": str(np.array(array))}


def main():
    reals = [{"value": exact(v), "spec": s, "text": format(v, s)} for v in REALS for s in REAL_SPECS]
    for row in reals:  # Python prints no sign of a NaN; nor do we, but for the flag
        assert not row["text"].strip().startswith("-nan")
    rng = random.Random(1)
    randoms = [rng.uniform(-1, 1) * 10.0 ** rng.randint(-320, 308) for _ in range(400)]
    for name, value, spec in REFUSED:
        try:
            format(value, spec)
        except ValueError:
            continue
        raise AssertionError(f"Python accepts {spec!r} for {value!r}")
    reference = {
        "reals": reals,
        "repr": [{"value": exact(v), "text": repr(v)} for v in REALS + randoms],
        "integers": [{"value": v, "spec": s, "text": format(v, s)} for v in INTEGERS for s in INTEGER_SPECS],
        "texts": [{"value": v, "spec": s, "text": format(v, s)} for v in TEXTS for s in TEXT_SPECS],
        "refused": [{"type": t, "value": exact(v), "spec": s} for t, v, s in REFUSED],
        "arrays": list(array_rows()),
    }
    path = pathlib.Path(__file__).with_name("format_reference.json")
    with path.open("w", encoding="utf-8") as file:
        file.write("{\n")
        for i, (key, rows) in enumerate(reference.items()):
            lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
            file.write(f'"{key}": [\n{lines}\n]{"," if i + 1 < len(reference) else ""}\n')
        file.write("}\n")


if __name__ == "__main__":
    main()
