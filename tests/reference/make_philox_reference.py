#!/usr/bin/python3
"""Writes philox_reference.json: what the native (philox) stream must draw.

Independent of src/random: Philox4x32-10 and the key hash in Python integers; normals as the
mathematical functions of the exact uniforms, in decimal arithmetic of 60 digits, rounded once. Only
the two roundings that belong to the definition (of the radius's uniform, to the dtype) are binary.
Numbers are C99 hex floats. Before anything is written, Philox is checked against the known-answer
vectors published with Random123.
"""
import json
import pathlib
import struct
from decimal import Decimal, getcontext

getcontext().prec = 60
TARGET = pathlib.Path(__file__).resolve().parent / "philox_reference.json"

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
MASK32, MASK64 = 2**32 - 1, 2**64 - 1

# counter, key, output: the file kat_vectors of Random123, generator philox4x32-10.
KNOWN_ANSWERS = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([MASK32] * 4, [MASK32] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


def philox(counter, key):
    c0, c1, c2, c3 = counter
    for r in range(10):
        k0, k1 = (key[0] + r * 0x9E3779B9) & MASK32, (key[1] + r * 0xBB67AE85) & MASK32
        a, b = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & MASK32, (a >> 32) ^ c3 ^ k1, a & MASK32
    return [c0, c1, c2, c3]


def stream_key(seed, case, point):
    h = 0xCBF29CE484222325
    for byte in b"\0".join(text.encode() for text in (str(seed), case, point)):
        h = (h ^ byte) * 0x100000001B3 & MASK64
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    h = (h ^ h >> 27) * 0x94D049BB133111EB & MASK64
    return h ^ h >> 31


def to_float32(x):
    """A Python float rounded to float32, ties to even."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def cosine_sine(turns):
    """Taylor series of 2 pi turns in Decimal; the zeros are exact."""
    sums = [Decimal(0), Decimal(0)]
    term, n = Decimal(1), 0
    while n < 20 or abs(term) > Decimal(10) ** -58:
        sums[n % 2] += -term if n % 4 >= 2 else term
        n += 1
        term = term * 2 * PI * turns / n
    if 4 * turns % 2 == 1:
        sums[0] = Decimal(0)
    if 2 * turns % 1 == 0:
        sums[1] = Decimal(0)
    return sums


def normals(uniform, turns):
    """cos and sin of the angle times sqrt(-2 ln uniform), as Decimals."""
    radius = (-2 * Decimal(uniform).ln()).sqrt()
    return [radius * v for v in cosine_sine(turns)]


def pair32(radius, angle):
    """A pair of float32 normals; rounding through double is harmless except next to a tie."""
    u = to_float32(to_float32(float(radius)) + 0.5) * 2.0**-32
    return [to_float32(float(v)) for v in normals(u, Decimal(angle >> 8) / 2**24)]


def pair64(radius, angle):
    u = (float(radius) + 0.5) * 2.0**-64
    return [float(v) for v in normals(u, Decimal(angle >> 11) / 2**53)]


def halves(words):
    return words[0] | words[1] << 32, words[2] | words[3] << 32


def draw(key, role, layer, first, count):
    """All kinds of draws of elements first to first + count - 1."""
    key_words = [key & MASK32, key >> 32]

    def block(b):
        return philox([b & MASK32, b >> 32, layer, role], key_words)

    def elements(per_block, transform):
        values = []
        for b in range(first // per_block, (first + count - 1) // per_block + 1):
            values += transform(block(b))
        start = first % per_block
        return values[start : start + count]

    bounds = [1, 2, 100, 3_000_000_000, 2**32 - 1]
    return {
        "first": str(first),
        "words": block(first // 4),
        "normal_float32": [
            v.hex() for v in elements(4, lambda w: pair32(*w[:2]) + pair32(*w[2:]))
        ],
        "normal_float64": [v.hex() for v in elements(2, lambda w: pair64(*halves(w)))],
        "uniform_float32": [
            v.hex() for v in elements(4, lambda w: [(x >> 8) * 2.0**-24 for x in w])
        ],
        "uniform_float64": [
            v.hex() for v in elements(2, lambda w: [(x >> 11) * 2.0**-53 for x in halves(w)])
        ],
        "integers": [
            {"bound": n, "values": elements(2, lambda w: [x * n >> 64 for x in halves(w)])}
            for n in bounds
        ],
    }


def main():
    for counter, key, output in KNOWN_ANSWERS:
        assert philox(counter, key) == output

    # Where the transforms could go wrong: ends of the range, and angles around every eighth turn.
    pairs32, pairs64 = [], []
    for radius in [0, 1, 2**24 + 1, 2**31 - 1, 2**32 - 129, 2**32 - 128, 2**32 - 1]:
        for eighth in range(8):
            for angle in [eighth * 2**29 - 2**8, eighth * 2**29, eighth * 2**29 + 2**8]:
                angle &= MASK32
                pairs32.append([radius, angle, *(v.hex() for v in pair32(radius, angle))])
    for radius in [0, 1, 2**53 + 1, 2**63 - 1, 2**64 - 1025, 2**64 - 1024, 2**64 - 1]:
        for eighth in range(8):
            for angle in [eighth * 2**61 - 2**11, eighth * 2**61, eighth * 2**61 + 2**11]:
                angle &= MASK64
                pairs64.append([str(radius), str(angle), *(v.hex() for v in pair64(radius, angle))])

    streams = []
    for seed, case, point, role, layer in [
        (0, "", "", 0, 0),
        (0, "", "", 16, 1),
        (1, "", "", 16, 1),
        (0, "post", "", 16, 1),
        (0, "", "post", 16, 1),
        (42, "pre norm", "depth=48", 18, 100_000),
        (2**64 - 1, "g\u03b5lu", "norm.eps=1e-05,width=512", 1, MASK32),
    ]:
        key = stream_key(seed, case, point)
        streams.append(
            {
                "seed": str(seed),
                "case": case,
                "point": point,
                "key": str(key),
                "role": role,
                "layer": layer,
                "draws": [
                    draw(key, role, layer, first, count)
                    for first, count in [(0, 32), (3, 6), (2**34 - 5, 11), (2**63 + 1, 8)]
                ],
            }
        )
    reference = {"pairs_float32": pairs32, "pairs_float64": pairs64, "streams": streams}
    TARGET.write_text(json.dumps(reference, indent=1) + "\n")


if __name__ == "__main__":
    main()
