#!/usr/bin/python3
"""Writes activation_reference.json: every activation's value and slope, independently.

usage: make_activation_reference.py OUT.json

For each row of the table: [z, f(z), f'(z), f''(z)] at points of float64 and of float32, in 400-digit arithmetic
(mpmath) from the defining formula; derivatives are carried along as truncated Taylor series, so that neither a step nor
a formula for them enters. Where PyTorch has the function, or its definition can be written in PyTorch, its float64
autograd is asked, too: it must agree with mpmath at moderate points, and gives [z, f(z), f'(z)] at kinks, infinities and
nan ("special"). Numbers that JSON lacks are strings. Needs Debian's python3-mpmath, python3-numpy and python3-torch.
"""
import json, math, sys
import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F

mp.mp.dps = 400

class Jet:
    """f, f' and f'' at one point."""
    def __init__(self, v, d=0, dd=0):
        self.v, self.d, self.dd = mp.mpf(v), mp.mpf(d), mp.mpf(dd)
    def of(self, v, d, dd):  # g(self) from g, g', g'' there
        return Jet(v, d * self.d, dd * self.d**2 + d * self.dd)
    def __add__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v + o.v, self.d + o.d, self.dd + o.dd)
    def __mul__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.dd * o.v + 2 * self.d * o.d + self.v * o.dd)
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o if isinstance(o, Jet) else -o)
    def __rsub__(self, o): return -self + o
    def __truediv__(self, o): return self * (o.of(1 / o.v, -1 / o.v**2, 2 / o.v**3) if isinstance(o, Jet) else 1 / mp.mpf(o))
    __radd__, __rmul__ = __add__, __mul__

def exp(x): e = mp.exp(x.v); return x.of(e, e, e)
def expm1(x): e = mp.exp(x.v); return x.of(mp.expm1(x.v), e, e)
def log1p(x): u = 1 + x.v; return x.of(mp.log1p(x.v), 1 / u, -1 / u**2)
def sin(x): s, c = mp.sin(x.v), mp.cos(x.v); return x.of(s, c, -s)
def reciprocal(x): return Jet(1) / x
def sigmoid(x): return reciprocal(1 + exp(-x)) if x.v > 0 else exp(x) / (1 + exp(x))
def tanh(x): return 2 * sigmoid(2 * x) - 1 if abs(x.v) > 1 else expm1(2 * x) / (expm1(2 * x) + 2)
def density(v): return mp.exp(-v * v / 2) / mp.sqrt(2 * mp.pi)
def erfc(v): return mp.erfc(v) if abs(v) < 1e4 else mp.mpf(0 if v > 0 else 2)  # e^-10^8 is beyond any double
def normal_cdf(x): p = density(x.v); return x.of(erfc(-x.v / mp.sqrt(2)) / 2, p, -x.v * p)
def erf(x):
    p = 2 / mp.sqrt(mp.pi) * mp.exp(-x.v**2)
    return x.of(mp.erf(x.v) if abs(x.v) < 1 else 1 - erfc(x.v), p, -2 * x.v * p)
def softplus(x): return x + log1p(exp(-x)) if x.v > 0 else log1p(exp(x))
def magnitude(x): return x if x.v > 0 else -x
def clamp(x, low, high): return Jet(low) if x.v < low else Jet(high) if x.v > high else x

selu_scale = mp.mpf("1.0507009873554804934193349852946")
selu_alpha = mp.mpf("1.6732632423543772848170429916717")
k1702 = mp.mpf("1.702")
def gelu(z): return z * normal_cdf(z)
def gelu_tanh(z):
    inner = mp.sqrt(2 / mp.pi) * (z + mp.mpf("0.044715") * z * z * z)
    return z * sigmoid(2 * inner)  # (1 + tanh u) / 2 = sigmoid(2 u)
def silu(z): return z * sigmoid(z)
def relu(z): return z if z.v > 0 else Jet(0)

# name: parameters, formula in Jets, the same in PyTorch, kinks
ROWS = {
    "linear": ({}, lambda z: z, lambda x: x * 1, []),
    "relu": ({}, relu, F.relu, [0]),
    "leaky_relu": ({}, lambda z: z if z.v > 0 else z * mp.mpf(0.01), F.leaky_relu, [0]),
    "leaky_relu steep": ({"negative_slope": -0.3}, lambda z: z if z.v > 0 else z * mp.mpf(-0.3),
                         lambda x: F.leaky_relu(x, -0.3), [0]),
    "relu6": ({}, lambda z: clamp(z, 0, 6), F.relu6, [0, 6]),
    "relu_squared": ({}, lambda z: relu(z) * relu(z), lambda x: F.relu(x)**2, [0]),
    "elu": ({}, lambda z: z if z.v > 0 else expm1(z), F.elu, [0]),
    "elu 2.5": ({"alpha": 2.5}, lambda z: z if z.v > 0 else expm1(z) * 2.5, lambda x: F.elu(x, 2.5), [0]),
    "selu": ({}, lambda z: z * selu_scale if z.v > 0 else expm1(z) * (selu_scale * selu_alpha), F.selu, [0]),
    "gelu": ({}, gelu, F.gelu, []),
    "gelu_tanh": ({}, gelu_tanh, lambda x: F.gelu(x, approximate="tanh"), []),
    "quick_gelu": ({}, lambda z: z * sigmoid(z * k1702), lambda x: x * torch.sigmoid(1.702 * x), []),
    "silu": ({}, silu, F.silu, []),
    "mish": ({}, lambda z: z * tanh(softplus(z)), F.mish, []),
    "softplus": ({}, lambda z: z if z.v > 20 else softplus(z), F.softplus, [20]),
    "softplus 5": ({"threshold": 5}, lambda z: z if z.v > 5 else softplus(z), lambda x: F.softplus(x, threshold=5), [5]),
    "softsign": ({}, lambda z: z / (1 + magnitude(z)), F.softsign, []),
    "hardtanh": ({}, lambda z: clamp(z, -1, 1), F.hardtanh, [-1, 1]),
    "hardswish": ({}, lambda z: z * clamp(z + 3, 0, 6) / 6, F.hardswish, [-3, 3]),
    "sigmoid": ({}, sigmoid, torch.sigmoid, []),
    "tanh": ({}, tanh, torch.tanh, []),
    "erf": ({}, erf, torch.erf, []),
    "sin": ({}, sin, torch.sin, []),
    "softcap": ({}, lambda z: 30 * tanh(z / 30), lambda x: 30 * torch.tanh(x / 30), []),
    "softcap 0.5": ({"cap": 0.5}, lambda z: tanh(z * 2) / 2, lambda x: 0.5 * torch.tanh(x / 0.5), []),
    "geglu": ({}, gelu, F.gelu, []),
    "geglu_tanh": ({}, gelu_tanh, lambda x: F.gelu(x, approximate="tanh"), []),
    "swiglu": ({}, silu, F.silu, []),
    "reglu": ({}, relu, F.relu, [0]),
}
MODERATE = [1e-3, 0.2, 0.3, 0.6, 0.8, 0.95, 1.3, 1.75, 2.5, 3.5, 4.0, 8.0]
FLOAT64 = MODERATE + [5e-324, 1e-310, 1e-300, 1e-160, 1e-17, 1e-8, 12.0, 19.5, 25.0, 37.0, 38.4, 88.0, 100.0, 300.0, 700.0, 709.5,
                      744.0, 1e3, 1e8, 1e30, 1e155, 1e200, sys.float_info.max]
FLOAT32 = MODERATE + [1.4e-45, 1e-40, 1e-38, 1e-20, 1e-7, 5.2, 9.0, 13.0, 14.2, 19.5, 25.0, 60.0, 87.0, 89.0, 100.0, 103.0, 1e3, 1e8,
                      1e15, 1e30, 3.4e38]

def number(v):
    v = float(v)
    return v if math.isfinite(v) else "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"

def exact(f, z):
    j = f(Jet(z, 1))
    return [number(z), number(j.v), number(j.d), number(j.dd)]

def torch_rows(g, points):
    # One by one: PyTorch's vector and scalar loops differ at some kinks; a vector of 16 takes the former.
    rows = []
    for z in points:
        x = torch.full((16,), float(z), dtype=torch.float64, requires_grad=True)
        y = g(x)
        y.sum().backward()
        rows.append([number(z), number(y[0].detach()), number(x.grad[0])])
    return rows

def main():
    out = {"made_with": {"mpmath": mp.__version__, "numpy": np.__version__, "torch": torch.__version__}, "activations": []}
    for label, (parameters, f, g, kinks) in ROWS.items():
        both = lambda points: [s * z for z in points for s in (-1, 1)]
        float64 = [exact(f, z) for z in both(FLOAT64) if z not in kinks]
        float32 = [exact(f, float(np.float32(z))) for z in both(FLOAT32) if z not in kinks]
        for z, v, d in torch_rows(g, [z for z in both(MODERATE) if z not in kinks]):
            _, value, slope, _ = exact(f, z)
            assert abs(v - value) < 1e-14 * (1 + abs(z)) and abs(d - slope) < 1e-14 * (1 + abs(z)), (label, z, v, value, d, slope)
        special = torch_rows(g, [math.nan, math.inf, -math.inf, 0.0, -0.0] + kinks)
        out["activations"].append({"name": label.split()[0], "parameters": parameters, "float64": float64, "float32": float32,
                                   "special": special})
    # One activation a line.
    lines = ",\n".join(json.dumps(a, allow_nan=False) for a in out["activations"])
    open(sys.argv[1], "w").write('{"made_with": %s,\n"activations": [\n%s\n]}\n' % (json.dumps(out["made_with"]), lines))

main()
