#!/usr/bin/python3
"""Writes measure_reference.json: every measure of small stacks, from PyTorch's autograd in float64.

usage: make_measure_reference.py OUT.json

Each case holds a model, its tensors and, for every measure and layer, the value that its definition gives. The stack is
written here with torch operations alone; residual factors are written out from the papers' formulas. Needs Debian's
python3-torch.
"""
import json, math, sys
import torch

torch.set_default_dtype(torch.float64)
F = torch.nn.functional
PLAIN = {"relu": torch.relu, "tanh": torch.tanh, "gelu": F.gelu, "silu": F.silu}
GATED = {"swiglu": F.silu, "geglu": F.gelu}


def norm(kind, x, eps, gain=1.0, bias=0.0):
    if kind == "layernorm":
        x = x - x.mean(-1, keepdim=True)
    return gain * x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) + bias


def factors(scheme, layer, depth):
    """skip, branch, input, last weights, other weights"""
    if scheme == "none":
        return 0.0, 1.0, 1.0, 1.0, 1.0
    if scheme == "plain":
        return 1.0, 1.0, 1.0, 1.0, 1.0
    if scheme == "gpt2":
        return 1.0, 1.0, 1.0, depth**-0.5, 1.0
    if scheme == "deepnorm":
        n = depth / 2
        beta = (8 * n) ** -0.25
        return (2 * n) ** 0.25, 1.0, 1.0, beta, beta
    if scheme == "nfnet":
        return 1.0, 0.2, (1 + (layer - 1) * 0.04) ** -0.5, 1.0, 1.0
    if scheme == "u_mup":
        tau2 = 1 / (depth / 2 + layer - 1)  # both ratios 1: every branch adds the same
        return (1 + tau2) ** -0.5, (tau2 / (1 + tau2)) ** 0.5, 1.0, 1.0, 1.0
    if scheme == "deepscale_lm":
        return math.sqrt(1 - 1 / depth), math.sqrt(1 / depth), 1.0, 1.0, 1.0
    raise ValueError(scheme)


def slope(act, z):
    z = z.detach().clone().requires_grad_(True)
    act(z).sum().backward()
    return z.grad


def rms(x):
    return float(torch.sqrt((x * x).mean()))


def run(model, x, weights, biases, u):
    depth, eps, kind, place = model["depth"], model["eps"], model["norm"], model["placement"]
    n_gain, n_bias = model["norm_gain"], model["norm_bias"]
    N = lambda v: norm(kind, v, eps, n_gain, n_bias)
    act = {**PLAIN, **GATED}[model["activation"]]
    gated = model["activation"] in GATED
    names = ["W"] if model["layer"] == "dense" else (["Wg", "W1", "W2"] if gated else ["W1", "W2"])
    W = [w.clone().requires_grad_(True) for w in weights]
    kept = lambda t: (t.retain_grad(), t)[1]
    stream = [x.clone().requires_grad_(True)]
    seen = []
    for layer in range(1, depth + 1):
        skip, branch, scale, _, _ = factors(model["residual"], layer, depth)
        skip, branch = skip * model["skip"], branch * model["branch"]
        here = {}
        at = (layer - 1) * len(names)
        product = lambda v, i: v @ W[at + i].T + biases[at + i]
        h = stream[-1] * scale
        if place in ("pre", "sandwich", "sub"):
            h = N(h)
        if model["layer"] == "dense":
            here["z"] = product(h, 0)
            here["a"] = f = act(here["z"])
        elif gated:
            here["z"] = product(h, 0)
            here["a"] = act(here["z"]) * product(h, 1)
            f = product(N(here["a"]) if place == "sub" else here["a"], 2)
        else:
            here["z"] = product(h, 0)
            here["a"] = act(here["z"])
            f = product(N(here["a"]) if place == "sub" else here["a"], 1)
        if place in ("sandwich", "reordered"):
            f = N(f)
        here["f"] = kept(f * 1.0)
        total = skip * stream[-1] + branch * here["f"]
        here["share"] = rms(branch * here["f"]) / rms(total)
        stream.append(kept(N(total) if place == "post" else total * 1.0))
        seen.append(here)
    out = stream[-1]
    (out * u).sum().backward()

    measures = {}

    def column(name, of):
        measures[name] = [of(l) for l in range(1, depth + 1)]

    column("forward_rms", lambda l: rms(stream[l].detach()))
    column("forward_mean", lambda l: float(stream[l].mean()))
    column("forward_deviation", lambda l: float(stream[l].std(unbiased=False)))
    column("forward_max", lambda l: float(stream[l].abs().max()))
    column("preactivation_rms", lambda l: rms(seen[l - 1]["z"].detach()))
    steepest = float(slope(act, torch.linspace(-20, 20, 4000001)).abs().max())
    column("saturated_units", lambda l: float((slope(act, seen[l - 1]["z"]).abs() < 0.01 * steepest).double().mean()))
    column("dead_units", lambda l: float((seen[l - 1]["a"].abs() < 1e-12).all(0).double().mean()))
    column("branch_rms", lambda l: rms(seen[l - 1]["f"].detach()))
    if model["residual"] != "none":
        column("branch_share", lambda l: seen[l - 1]["share"])
    column("cosine", lambda l: float(F.cosine_similarity(stream[l][0::2], stream[l][1::2]).mean()))

    def effective_rank(l):
        s = torch.linalg.svdvals(stream[l].detach())
        p = s / s.sum()
        return float(torch.exp(-(p * torch.log(p)).sum()))

    column("effective_rank", effective_rank)
    column("gradient_rms", lambda l: rms(stream[l].grad))
    # What enters the branch: F's gradient, its multiplier included.
    column("branch_gradient_rms", lambda l: rms(seen[l - 1]["f"].grad))
    for i, name in enumerate(names):
        column("weight_gradient_rms." + name, lambda l: rms(W[(l - 1) * len(names) + i].grad))
        column("weight_gradient_frobenius." + name, lambda l: float(W[(l - 1) * len(names) + i].grad.norm()))
    return measures, rms(stream[0].grad)


def main():
    torch.manual_seed(11)
    base = {"width": 6, "hidden": 9, "depth": 3, "tokens": 4, "layer": "mlp", "activation": "relu", "norm": "none",
            "placement": "none", "eps": 1e-3, "residual": "none", "skip": 1.0, "branch": 1.0, "norm_gain": 1.0,
            "norm_bias": 0.0, "biased": False, "scale": 1.3}
    cases = []
    for change in [
        {"layer": "dense", "activation": "tanh", "scale": 3.0},
        {"layer": "dense", "activation": "relu", "biased": True},
        {"norm": "layernorm", "placement": "pre", "residual": "plain", "skip": 0.9, "branch": 0.7},
        {"norm": "rmsnorm", "placement": "post", "residual": "deepnorm", "activation": "gelu"},
        {"norm": "rmsnorm", "placement": "sub", "residual": "plain", "activation": "swiglu", "biased": True},
        {"norm": "layernorm", "placement": "sandwich", "residual": "u_mup", "activation": "geglu"},
        {"residual": "nfnet", "activation": "silu"},
        {"norm": "rmsnorm", "placement": "pre", "residual": "nfnet", "norm_gain": 1.3, "norm_bias": 0.2},
        {"norm": "layernorm", "placement": "reordered", "residual": "deepscale_lm", "norm_gain": 0.7, "norm_bias": -0.4,
         "biased": True},
        {"norm": "layernorm", "placement": "pre", "residual": "gpt2", "activation": "swiglu"},
    ]:
        m = {**base, **change}
        d, h = m["width"], m["hidden"]
        shapes = [(d, d)] if m["layer"] == "dense" else (
            [(h, d), (h, d), (d, h)] if m["activation"] in GATED else [(h, d), (d, h)])
        weights, biases = [], []
        for layer in range(1, m["depth"] + 1):
            _, _, _, last, other = factors(m["residual"], layer, m["depth"])
            for i, (rows, cols) in enumerate(shapes):
                unit = torch.randn(rows, cols) * m["scale"] / math.sqrt(cols)
                weights.append((unit, unit * (last if i + 1 == len(shapes) else other)))
                biases.append(torch.randn(rows) * (0.3 if m["biased"] else 0))
        x, u = torch.randn(m["tokens"], d), torch.randn(m["tokens"], d)
        measures, input_gradient = run(m, x, [w for _, w in weights], biases, u)
        flat = lambda t: [float(v) for v in t.ravel()]
        cases.append({"model": m, "x": flat(x), "u": flat(u), "unit_weights": [flat(w) for w, _ in weights],
                      "biases": [flat(b) for b in biases], "measures": measures, "input_gradient_rms": input_gradient})
    with open(sys.argv[1], "w") as f:
        json.dump({"made_with": {"torch": torch.__version__}, "cases": cases}, f)
        f.write("\n")


main()
