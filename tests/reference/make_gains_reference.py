#!/usr/bin/python3
"""Writes gains_reference.json: gains, fixed points and edges of chaos of activations, independently.

usage: make_gains_reference.py OUT.json

Everything is mpmath's tanh-sinh quadrature in 30-digit arithmetic, split at kinks and at the scales of the density and
of the activation, of formulas written here with slopes derived by hand (compared with numerical derivatives). Fixed
points and edges are roots that mpmath finds in q itself, sizes after 50 layers are iterated as they stand. Closed forms
of relu, erf and gelu (Cho & Saul 2009; Williams 1997) are checked against the quadrature. Needs python3-mpmath.
"""
import json, sys
import mpmath as mp

mp.mp.dps = 30
R = mp.mpf
SELU_SCALE, SELU_ALPHA = R("1.0507009873554804934193349852946"), R("1.6732632423543772848170429916717")

def sigmoid(z): return 1 / (1 + mp.exp(-z)) if z > 0 else mp.exp(z) / (1 + mp.exp(z))
def sigmoid_slope(z): return sigmoid(z) * sigmoid(-z)
def softplus(z): return max(z, R(0)) + mp.log1p(mp.exp(-abs(z)))
def phi(z): return mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)
def cdf(z): return mp.erfc(-z / mp.sqrt(2)) / 2
def gelu_tanh_inner(z): return mp.sqrt(2 / mp.pi) * (z + R("0.044715") * z**3)
def gelu_tanh_slope(z):
    t = mp.tanh(gelu_tanh_inner(z))
    return (1 + t) / 2 + z / 2 * mp.sech(gelu_tanh_inner(z))**2 * mp.sqrt(2 / mp.pi) * (1 + 3 * R("0.044715") * z * z)
K = R("1.702")

# name: value, slope, kinks beside 0
ACTIVATIONS = {
    "linear": (lambda z: z, lambda z: R(1), []),
    "relu": (lambda z: max(z, R(0)), lambda z: R(z > 0), []),
    "leaky_relu": (lambda z: z if z > 0 else z / 100, lambda z: R(1) if z > 0 else R(1) / 100, []),
    "leaky_relu:negative_slope=0.2": (lambda z: z if z > 0 else z / 5, lambda z: R(1) if z > 0 else R(1) / 5, []),
    "relu6": (lambda z: min(max(z, R(0)), R(6)), lambda z: R(0 < z < 6), [6]),
    "relu_squared": (lambda z: max(z, R(0))**2, lambda z: 2 * max(z, R(0)), []),
    "elu": (lambda z: z if z > 0 else mp.expm1(z), lambda z: R(1) if z > 0 else mp.exp(z), []),
    "selu": (lambda z: SELU_SCALE * (z if z > 0 else SELU_ALPHA * mp.expm1(z)),
             lambda z: SELU_SCALE * (R(1) if z > 0 else SELU_ALPHA * mp.exp(z)), []),
    "gelu": (lambda z: z * cdf(z), lambda z: cdf(z) + z * phi(z), []),
    "gelu_tanh": (lambda z: z / 2 * (1 + mp.tanh(gelu_tanh_inner(z))), gelu_tanh_slope, []),
    "quick_gelu": (lambda z: z * sigmoid(K * z), lambda z: sigmoid(K * z) + K * z * sigmoid_slope(K * z), []),
    "silu": (lambda z: z * sigmoid(z), lambda z: sigmoid(z) + z * sigmoid_slope(z), []),
    "mish": (lambda z: z * mp.tanh(softplus(z)),
             lambda z: mp.tanh(softplus(z)) + z * mp.sech(softplus(z))**2 * sigmoid(z), []),
    "softplus": (softplus, sigmoid, []),  # its threshold at 20 moves nothing by more than 1e-17 at these spreads
    "softsign": (lambda z: z / (1 + abs(z)), lambda z: 1 / (1 + abs(z))**2, []),
    "hardtanh": (lambda z: min(max(z, R(-1)), R(1)), lambda z: R(-1 < z < 1), [1]),
    "hardswish": (lambda z: z * min(max(z + 3, R(0)), R(6)) / 6,
                  lambda z: R(0) if z < -3 else R(1) if z > 3 else (2 * z + 3) / 6, [3]),
    "sigmoid": (sigmoid, sigmoid_slope, []),
    "tanh": (mp.tanh, lambda z: mp.sech(z)**2, []),
    "erf": (mp.erf, lambda z: 2 / mp.sqrt(mp.pi) * mp.exp(-z * z), []),
    "sin": (mp.sin, mp.cos, []),
    "softcap": (lambda z: 30 * mp.tanh(z / 30), lambda z: mp.sech(z / 30)**2, []),
}

def mean(name, g, q):
    """E g(z), z ~ N(0, q)."""
    spread, ends = mp.sqrt(q), {R(0)}
    for x in (1, 2, 4, 8, 13):
        ends |= {R(x), -R(x)}
    for x in [R("0.25"), 1, 2.5, 6, 12, 20] + ACTIVATIONS[name][2]:
        if x / spread < 13:
            ends |= {x / spread, -x / spread}
    return mp.quad(lambda z: g(spread * z) * mp.npdf(z), sorted(ends))

def second(name, q):  # of f / spread, since mpmath's tolerance is absolute
    return q * mean(name, lambda z: (ACTIVATIONS[name][0](z) / mp.sqrt(q))**2, q)
def slope_second(name, q): return mean(name, lambda z: ACTIVATIONS[name][1](z)**2, q)
def growth(name, q):
    """d ln E f^2 / d ln q, by Stein's lemma."""
    f, slope, _ = ACTIVATIONS[name]
    return mean(name, lambda z: z * f(z) * slope(z), q) / second(name, q)

def check_formulas():
    for name, (f, slope, _) in ACTIVATIONS.items():
        for z in (R("-2.3"), R("-0.7"), R("0.4"), R("1.9"), R("5.1")):
            assert abs(mp.diff(f, z) - slope(z)) < R("1e-10"), (name, z)
    for q in (R("0.3"), R(1), R(7)):
        a = q / (1 + q)
        near = lambda x, y: abs(x / y - 1) < R("1e-18")
        assert near(second("relu", q), q / 2)
        assert near(second("erf", q), 2 / mp.pi * mp.asin(2 * q / (1 + 2 * q)))
        assert near(slope_second("erf", q), 4 / mp.pi / mp.sqrt(1 + 4 * q))
        assert near(second("gelu", q), q / 4 + q / (2 * mp.pi) * (2 * a / mp.sqrt(1 + 2 * q) + mp.asin(a)))
        assert near(slope_second("gelu", q),
                    R(1) / 4 + (mp.asin(a) + q * (3 + 5 * q) / ((1 + q) * (1 + 2 * q)**1.5)) / (2 * mp.pi))

def root(g, guess):
    """Of g(ln q): refined by secants to 25 digits."""
    return mp.exp(mp.findroot(lambda x: g(mp.exp(x)), (mp.log(guess), mp.log(guess) + R("0.01")), solver="secant", tol=1e-40))

# E f^2 stays below 1 at any spread.
BOUNDED = {"tanh", "sigmoid", "erf", "softsign", "hardtanh", "sin"}

def gains_of(name, size):
    q = R(size)
    s, d = second(name, q), slope_second(name, q)
    output = None if name in BOUNDED and size >= 0.99 else mp.sqrt(root(lambda x: second(name, x) - q, q * q / s) / q)
    average = mp.chop(mean(name, ACTIVATIONS[name][0], q), R("1e-25"))
    return {"name": name, "size": size, "mean": average, "second_moment": s,
            "slope_second_moment": d, "preactivation_gain": mp.sqrt(q / s), "output_gain": output,
            "backward_gain": 1 / mp.sqrt(d), "chi_1": q / s * d, "size_slope": growth(name, q)}

def sizes_of(name, weights, depth=50):
    square, gradient = R(1), R(1)
    for _ in range(depth):
        q = weights * square
        square = second(name, q)
        gradient *= weights * slope_second(name, q)
    return {"name": name, "weights": weights, "depth": depth, "forward_rms": mp.sqrt(square),
            "input_gradient_rms": mp.sqrt(gradient)}

def fixed_point_of(name, weights, biases, guess):
    q = root(lambda x: (weights * second(name, x) + biases) / x - 1, guess)
    return {"name": name, "weights": weights, "biases": biases, "q": q, "chi_1": weights * slope_second(name, q),
            "size_slope": weights * second(name, q) * growth(name, q) / q}

def edge_of(name, biases, guess):
    q = root(lambda x: (x - second(name, x) / slope_second(name, x) - biases) / x, guess)
    weights = 1 / slope_second(name, q)
    return {"name": name, "biases": biases, "weights": weights, "q": q,
            "size_slope": weights * second(name, q) * growth(name, q) / q}

EDGES = {  # guesses of q for biases 0.0025, 0.01, 0.04, 0.05, 0.1, 0.25
    "tanh": [0.15, 0.27, 0.51, 0.57, 0.8, 1.3], "erf": [0.15, 0.25, 0.47, 0.52, 0.73, 1.2],
    "gelu": [0.075, 0.18, 0.58, 0.72, 1.6, 6.4], "silu": [0.11, 0.26, 0.69, 0.83, 1.55, 4.4],
    "elu": [0.19, 0.44, 1.1, 1.3, 2.2, 4.9], "sigmoid": [45.6, 45.6, 45.7, 45.7, 45.8, 46.2],
}

def plain(value):
    """Numbers to doubles."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    return float(value) if isinstance(value, mp.mpf) else value

def main():
    check_formulas()
    out = {"made_with": {"mpmath": mp.__version__}, "gains": [], "sizes": [], "fixed_points": [], "edges": []}
    def add(key, entry):
        out[key].append(plain(entry))
        print(out[key][-1], file=sys.stderr, flush=True)
    for name in ACTIVATIONS:
        add("gains", gains_of(name, 1))
    for name in ("relu", "tanh", "gelu", "silu", "elu"):
        add("gains", gains_of(name, 0.25))
    for name, biases in [(name, b) for name in EDGES for b in (0.0025, 0.01, 0.04, 0.05, 0.1, 0.25)]:
        i = (0.0025, 0.01, 0.04, 0.05, 0.1, 0.25).index(biases)
        add("edges", edge_of(name, R(str(biases)), R(EDGES[name][i])))
    for name, weights, biases, guess in [("tanh", R(25) / 9, R(0), 1.18), ("tanh", R("1.3"), R("0.05"), 0.315),
                                         ("erf", R(1), R(0), 0.142), ("sigmoid", R(1), R(0), 0.265),
                                         ("selu", R(9) / 16, R(0), 0.023), ("gelu", R("2.2"), R("0.05"), 0.5)]:
        add("fixed_points", fixed_point_of(name, weights, biases, R(guess)))
    for name, weights in [("linear", 512), ("linear", 0.25), ("relu", 1), ("relu", 2), ("tanh", 1), ("tanh", R(25) / 9),
                          ("erf", 1), ("sigmoid", 1), ("sigmoid", 16), ("gelu", 2), ("silu", 2), ("selu", 1), ("selu", R(9) / 16),
                          ("gelu", 1 / second("gelu", R(1))), ("silu", 1 / second("silu", R(1)))]:
        add("sizes", sizes_of(name, R(weights)))
    with open(sys.argv[1], "w") as stream:
        json.dump(out, stream, indent=1)
        stream.write("\n")

if __name__ == "__main__":
    main()
