#!/usr/bin/python3
"""Writes mean_field_reference.json: moments of activations under Gaussians, independently.

usage: make_mean_field_reference.py OUT.json

E f(z), E f(z)^2 and E f'(z)^2 for z ~ N(0, spread^2) by mpmath's tanh-sinh quadrature at 30 digits, split at kinks,
of the defining formulas below; slopes are mpmath's numerical derivatives. Closed forms (relu, erf,
gelu) are checked against it here. Needs Debian's python3-mpmath.
"""
import json, sys
import mpmath as mp

mp.mp.dps = 40
phi = lambda z: mp.erfc(-z / mp.sqrt(2)) / 2
softplus = lambda z: mp.log1p(mp.exp(z)) if z < 50 else z + mp.log1p(mp.exp(-z))
sigmoid = lambda z: 1 / (1 + mp.exp(-z))
selu_scale = mp.mpf("1.0507009873554804934193349852946")
selu_alpha = mp.mpf("1.6732632423543772848170429916717")

ACTIVATIONS = {
    "linear": lambda z: z,
    "relu": lambda z: max(z, mp.mpf(0)),
    "leaky_relu": lambda z: z if z > 0 else z * mp.mpf(0.01),
    "tanh": mp.tanh,
    "sigmoid": sigmoid,
    "gelu": lambda z: z * phi(z),
    "gelu_tanh": lambda z: z / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (z + mp.mpf("0.044715") * z**3))),
    "silu": lambda z: z * sigmoid(z),
    "erf": mp.erf,
    "elu": lambda z: z if z > 0 else mp.expm1(z),
    "selu": lambda z: selu_scale * (z if z > 0 else selu_alpha * mp.expm1(z)),
    "softplus": lambda z: z if z > 20 else softplus(z),  # PyTorch's threshold
    "mish": lambda z: z * mp.tanh(softplus(z)),
    "softsign": lambda z: z / (1 + abs(z)),
    "hardtanh": lambda z: min(max(z, mp.mpf(-1)), mp.mpf(1)),
    "softcap": lambda z: 30 * mp.tanh(z / 30),
}

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
