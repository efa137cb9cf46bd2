#!/usr/bin/python3
"""Writes rounding_reference.bin: floats that are hard to round, as PyTorch casts them to float16 and bfloat16.

usage: make_rounding_reference.py OUT.bin

100,000 records of 8 bytes, little-endian: the bits of a float32, of its float16 and of its bfloat16. The floats are
values of either format and midpoints between neighbours, moved by up to two floats; floats near either format's
smallest and largest numbers; and bit patterns at random, nan and infinity among them. Needs Debian's python3-torch and
python3-numpy.
"""
import sys
import numpy as np
import torch

rng = np.random.default_rng(16)

def near(dropped, count):
    # Patterns whose low bits are 0 (a value of a format of 23 - dropped bits) or half of a last bit, moved a little.
    high = rng.integers(0, 2**(32 - dropped), count, dtype=np.uint64) << np.uint64(dropped)
    half = rng.integers(0, 2, count, dtype=np.uint64) << np.uint64(dropped - 1)
    return (high + half + rng.integers(-2, 3, count).astype(np.uint64)) & np.uint64(0xffffffff)

def exponent(low, high, patterns):
    # The same in binades 2^low to 2^high, where float16 has its subnormals, normals or its end.
    biased = rng.integers(low + 127, high + 128, patterns.size).astype(np.uint64)
    return (patterns & np.uint64(0x807fffff)) | (biased << np.uint64(23))

def subnormal_midpoints(count):
    # Odd multiples of 2^-25, halfway between float16's subnormals, and their neighbours.
    values = ((2 * rng.integers(0, 2**10, count) + 1) * 2.0**-25 * rng.choice([-1, 1], count)).astype(np.float32)
    return values.view(np.uint32).astype(np.uint64) + rng.integers(-1, 2, count).astype(np.uint64)

bits = np.concatenate([
    near(16, 20000), near(13, 5000), exponent(-14, 15, near(13, 25000)), exponent(14, 16, near(13, 5000)),
    exponent(-27, -14, near(13, 10000)), subnormal_midpoints(10000), exponent(126, 127, near(16, 4000)),
    near(16, 4000) & np.uint64(0x80ffffff), rng.integers(0, 2**32, 17000, dtype=np.uint64)]) & np.uint64(0xffffffff)
assert bits.size == 100000
floats = bits.astype("<u4").view(np.float32)
x = torch.from_numpy(floats.copy())
out = np.empty(bits.size, dtype=[("float32", "<u4"), ("float16", "<u2"), ("bfloat16", "<u2")])
out["float32"] = bits
out["float16"] = x.to(torch.float16).view(torch.int16).numpy().view(np.uint16)
out["bfloat16"] = x.to(torch.bfloat16).view(torch.int16).numpy().view(np.uint16)
out.tofile(sys.argv[1])
