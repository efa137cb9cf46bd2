#!/usr/bin/python3
"""Writes mean_field_reference.json: moments of activations under Gaussians, independently.

usage: make_mean_field_reference.py OUT.json

E f(z), E f(z)^2 and E f'(z)^2 for z ~ N(0, spread^2) by mpmath's tanh-sinh quadrature at 30 digits, split at kinks,
of the defining formulas in make_net_reference.py; slopes are mpmath's numerical derivatives. Closed forms (relu, erf,
gelu) are checked against it here. Needs Debian's python3-mpmath (and python3-torch, which make_net_reference imports).
"""
import json, sys
import mpmath as mp
from make_net_reference import ACTIVATIONS

mp.mp.dps = 30
SPREADS = [0.01, 0.5, 1.0, 3.0, 20.0]
NAMES = ["linear", "relu", "leaky_relu", "tanh", "sigmoid", "gelu", "gelu_tanh", "silu", "erf", "elu", "selu",
         "softplus", "mish", "softsign", "hardtanh", "softcap"]

def gaussian_mean(g, spread):
    ends = {mp.mpf(0)}
    for x in (1, 2, 4, 8, 14):
        ends |= {mp.mpf(x), -mp.mpf(x)}
    for x in ("0.25", 1, 3, 6, 12, 20, 60):
        z = mp.mpf(x) / spread
        if z < 14:
            ends |= {z, -z}
    return mp.quad(lambda z: g(spread * z) * mp.npdf(z), sorted(ends))

def main():
    out = {"made_with": {"mpmath": mp.__version__}, "moments": []}
    for name in NAMES:
        f = ACTIVATIONS[name]
        slope = lambda z: mp.diff(f, z)
        for spread in SPREADS:
            s = mp.mpf(spread)
            row = [gaussian_mean(f, s), gaussian_mean(lambda z: f(z) ** 2, s), gaussian_mean(lambda z: slope(z) ** 2, s)]
            q = s * s
            if name == "relu":
                assert abs(row[1] / (q / 2) - 1) < 1e-20 and abs(row[2] - mp.mpf("0.5")) < 1e-15
            if name == "erf":
                assert abs(row[1] / (2 / mp.pi * mp.asin(2 * q / (1 + 2 * q))) - 1) < 1e-20
                assert abs(row[2] / (4 / mp.pi / mp.sqrt(1 + 4 * q)) - 1) < 1e-15
            if name == "gelu":
                a = q / (1 + q)
                assert abs(row[1] / (q / 4 + q / (2 * mp.pi) * (2 * q / ((1 + q) * mp.sqrt(1 + 2 * q)) + mp.asin(a))) - 1) < 1e-20
            out["moments"].append({"name": name, "spread": spread, "mean_second_slope": [float(mp.chop(v, 1e-25)) for v in row]})
        print(name, file=sys.stderr, flush=True)
    with open(sys.argv[1], "w") as stream:
        json.dump(out, stream, indent=1)
        stream.write("\n")

if __name__ == "__main__":
    main()
