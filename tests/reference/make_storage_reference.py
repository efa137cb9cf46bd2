#!/usr/bin/python3
"""Writes storage_reference.json: small stacks stored in float16 and bfloat16, from PyTorch's casts.

usage: make_storage_reference.py OUT.json

Every stored value is a float32 tensor cast to the 16-bit type and back; products are float32 matmuls of cast values.
Needs Debian's python3-torch.
"""
import json, math, sys
import torch

F = torch.nn.functional


def main():
    torch.manual_seed(5)
    cases = []
    for name in ("float16", "bfloat16"):
        cast = lambda t: t.to(getattr(torch, name)).to(torch.float32)

        def norm_exact(x, eps):
            d = x.double()
            return cast((d / torch.sqrt((d * d).mean(-1, keepdim=True) + eps)).float())

        def norm_steps(x, eps):
            moment = cast(cast((cast(x * x)).mean(-1, keepdim=True)) + cast(torch.tensor(eps)))
            return cast(x * cast(1 / torch.sqrt(moment)))

        for norm, eps, size in [("none", 0.0, 1.0), ("exact", 1e-5, 1.0), ("steps", 1e-5, 1.0), ("steps", 1e-6, 2.0**-8)]:
            d, depth, tokens = 12, 3, 2
            x = cast(torch.randn(tokens, d) * size)
            W = [cast(torch.randn(d, d) / math.sqrt(d)) for _ in range(depth)]
            u = cast(torch.randn(tokens, d))
            stream, h = [], x
            for w in W:
                n = {"none": lambda v: v, "exact": lambda v: norm_exact(v, eps), "steps": lambda v: norm_steps(v, eps)}[norm](h)
                z = cast(n @ w.T)
                f = cast(torch.relu(z))
                h = cast(h + cast(0.5 * f))
                stream.append([float(v) for v in h.ravel()])
            flat = lambda t: [float(v) for v in t.ravel()]
            cases.append({"dtype": name, "norm": norm, "eps": eps, "width": d, "depth": depth, "tokens": tokens, "x": flat(x),
                          "weights": [flat(w) for w in W], "u": flat(u), "stream": stream})
    with open(sys.argv[1], "w") as f:
        json.dump({"made_with": {"torch": torch.__version__}, "cases": cases}, f)
        f.write("\n")


main()
