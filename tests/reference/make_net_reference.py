#!/usr/bin/python3
"""Writes net_reference.json: inverse erf, truncated normals and cross-entropy, independently.

usage: make_net_reference.py OUT.json

Inverse erf is mpmath's at 40 digits; the standard deviation of a normal cut at c is the root of its second moment, an
integral that mpmath takes numerically. Cross-entropy is PyTorch's autograd in
float64. Needs Debian's python3-mpmath and python3-torch.
"""
import json, sys
import mpmath as mp
import torch

mp.mp.dps = 40
def main():
    out = {"made_with": {"mpmath": mp.__version__, "torch": torch.__version__}}
    out["erf_inverse"] = [[y, float(mp.erfinv(mp.mpf(y)))] for y in
                          [-0.9999999999, -0.999, -0.7, -0.5, -0.1, -1e-12, 0.0, 1e-300, 0.3, 0.501, 0.95, 0.9544997361036416,
                           0.999999, 1 - 2.0**-40, 1 - 2.0**-53]]
    second = lambda c: mp.quad(lambda z: z * z * mp.exp(-z * z / 2), [0, c]) / mp.quad(lambda z: mp.exp(-z * z / 2), [0, c])
    out["truncated_normal"] = [[c, float(mp.sqrt(second(mp.mpf(c))))] for c in [1e-3, 0.01, 0.1, 0.5, 1.0, 1.2, 2.0, 3.0, 6.0, 40.0]]
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
