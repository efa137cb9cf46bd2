#!/usr/bin/python3
"""Writes net_reference.json: activations and their slopes, inverse erf and cross-entropy, independently.

usage: make_net_reference.py OUT.json

Activations and slopes are mpmath's at 40 digits, from the defining formulas (slopes by mpmath's numerical
derivative of them, or by hand at kinks where PyTorch's convention counts). Cross-entropy is PyTorch's autograd in
float64. Needs Debian's python3-mpmath and python3-torch.
"""
import json, sys
import mpmath as mp
import torch

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
POINTS = [-25.0, -8.0, -3.5, -1.75, -0.8, -0.3, -1e-3, 1e-3, 0.2, 0.6, 0.95, 1.3, 2.5, 4.0, 9.0, 25.0]

def main():
    out = {"made_with": {"mpmath": mp.__version__, "torch": torch.__version__}, "activations": []}
    for name, f in ACTIVATIONS.items():
        rows = []
        for z in POINTS:
            x = mp.mpf(z)
            rows.append([z, float(f(x)), float(mp.diff(f, x))])
        out["activations"].append({"name": name, "z_value_slope": rows})
    out["erf_inverse"] = [[y, float(mp.erfinv(mp.mpf(y)))] for y in
                          [-0.9999999999, -0.999, -0.7, -0.5, -0.1, -1e-12, 0.0, 1e-300, 0.3, 0.501, 0.95, 0.9544997361036416,
                           0.999999, 1 - 2.0**-40, 1 - 2.0**-53]]
    torch.manual_seed(1)
    out["cross_entropy"] = []
    for tokens, width, classes, scale in [(1, 3, 2, 1.0), (4, 5, 7, 1.0), (2, 3, 4, 400.0)]:
        y = (torch.randn(tokens, width, dtype=torch.float64) * scale).requires_grad_(True)
        head = torch.randn(width, classes, dtype=torch.float64)
        targets = torch.randint(0, classes, (tokens,))
        loss = torch.nn.functional.cross_entropy(y @ head, targets)
        loss.backward()
        flat = lambda t: [float(v) for v in t.detach().ravel()]
        out["cross_entropy"].append({"tokens": tokens, "width": width, "classes": classes, "y": flat(y), "head": flat(head),
                                     "targets": [int(t) for t in targets], "loss": float(loss), "gradient": flat(y.grad)})
    json.dump(out, open(sys.argv[1], "w"), indent=1)

main()
