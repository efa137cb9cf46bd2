#!/usr/bin/python3
"""Writes theory_reference.json: what the mean field says of whole stacks, independently, at 20 digits.

usage: make_theory_reference.py OUT.json

Everything is mpmath's tanh-sinh quadrature of the defining formulas (no closed form of this project's is used), and
plain recursions over layers:
  stacks      x_l = f(W x_{l-1}), fifty layers, E x0^2 = 1, unit gradient at the top: RMS after layers 1, 2, 10, 50 and
              of the gradient at the input, for weights of variance sw2 / width
  fixed       edges of chaos of Schoenholz et al. 2017: for a bias variance sb2 the sw2 and q at which
              Q(q) = sw2 E f^2 + sb2 = q and sw2 E f'^2 = 1
  biased      E f, E f^2, E f'^2 for z = shift + N(0, s^2) + U(-limit, limit), over uniform shifts by a second quadrature
  pairs       E f(z1) f(z2) / E f^2 for correlated normals, by Mehler's expansion in Hermite polynomials
  blocks      residual streams: tanh with skip; pre-norm mlp blocks with eps; post-norm and DeepNorm blocks
  norms       the mean square of a norm's Jacobian applied to a random gradient, from its d x d matrix, at d = 8
  linear_law  mean and deviation of ln |x_L| / |x_0| of Gaussian linear layers, by mpmath's polygamma
Needs Debian's python3-mpmath. Takes some minutes.
"""
import json, sys
import mpmath as mp

mp.mp.dps = 20
SELU_L, SELU_A = mp.mpf("1.0507009873554804934193349852946"), mp.mpf("1.6732632423543772848170429916717")
sig = lambda z: 1 / (1 + mp.exp(-z))
F = {
    "linear": (lambda z: z, lambda z: mp.mpf(1)),
    "relu": (lambda z: max(z, mp.mpf(0)), lambda z: mp.mpf(1 if z > 0 else 0)),
    "tanh": (mp.tanh, lambda z: mp.sech(z) ** 2),
    "erf": (mp.erf, lambda z: 2 / mp.sqrt(mp.pi) * mp.exp(-z * z)),
    "sigmoid": (sig, lambda z: sig(z) * sig(-z)),
    "gelu": (lambda z: z * mp.ncdf(z), lambda z: mp.ncdf(z) + z * mp.npdf(z)),
    "silu": (lambda z: z * sig(z), lambda z: sig(z) * (1 + z * sig(-z))),
    "selu": (lambda z: SELU_L * (z if z > 0 else SELU_A * mp.expm1(z)),
             lambda z: SELU_L * (1 if z > 0 else SELU_A * mp.exp(z))),
}

def mean(g, spread, shift=mp.mpf(0)):
    spread = mp.mpf(spread)
    ends = {mp.mpf(0), mp.mpf(13), mp.mpf(-13)}
    for x in (1, 3, 6):
        ends |= {mp.mpf(x), mp.mpf(-x)}
    for x in (0, 1, 3, 8):
        for sign in (1, -1):
            z = (sign * mp.mpf(x) - shift) / spread
            if abs(z) < 13:
                ends.add(z)
    return mp.quad(lambda z: g(shift + spread * z) * mp.npdf(z), sorted(ends))

def second(name, q):
    # Divided by q, since mpmath's precision is absolute.
    return q * mean(lambda z: F[name][0](z) ** 2 / q, mp.sqrt(q))
def steep(name, q):
    return mean(lambda z: F[name][1](z) ** 2, mp.sqrt(q))

def plain_stack(name, sw2, depth=50):
    p, sizes, back = mp.mpf(1), [], mp.mpf(1)
    for _ in range(depth):
        q = sw2 * p
        p = second(name, q)
        back *= sw2 * steep(name, q)
        sizes.append(mp.sqrt(p))
    return {"activation": name, "sw2": float(sw2), "forward": [float(sizes[i - 1]) for i in (1, 2, 10, 50)],
            "gradient_at_input": float(mp.sqrt(back))}

def edge(name, sb2, start):
    """sw2 = 1 / E f'^2 at q, and sb2 = q - sw2 E f^2: the q at which that is the sb2 asked for."""
    q = mp.findroot(lambda q: q - second(name, q) / steep(name, q) - sb2, start, tol=1e-24)
    return {"activation": name, "sb2": float(sb2), "sw2": float(1 / steep(name, q)), "q": float(q)}

def biased(name, spread, shift, limit):
    f, slope = F[name]
    def over(g):
        if limit == 0:
            return mean(g, spread, mp.mpf(shift))
        return mp.quad(lambda u: mean(g, spread, mp.mpf(shift) + u), [-limit, 0, limit]) / (2 * limit)
    return {"activation": name, "spread": spread, "shift": shift, "limit": limit,
            "mean_second_slope": [float(over(f)), float(over(lambda z: f(z) ** 2)), float(over(lambda z: slope(z) ** 2))]}

def pair(name, q, c, terms=50):
    """Mehler: sum c^n a_n^2, with a_n = E f(sqrt(q) z) He_n(z) / sqrt(n!)."""
    f, s = F[name][0], mp.sqrt(q)
    def hermite(n, z):
        before, now = mp.mpf(0), mp.mpf(1)
        for k in range(n):
            before, now = now, (z * now - mp.sqrt(k) * before) / mp.sqrt(k + 1)
        return now
    total = mp.mpf(0)
    for n in range(terms):
        term = mean(lambda z: f(s * z) * hermite(n, z), 1) ** 2
        total += c ** n * term
    return {"activation": name, "q": float(q), "correlation": float(c), "share": float(total / second(name, q))}

def tanh_residual(depth=50, sw2=mp.mpf(1) / 4):
    p, back = mp.mpf(1), mp.mpf(1)
    for _ in range(depth):
        q = sw2 * p
        p += second("tanh", q)
        back *= 1 + sw2 * steep("tanh", q)
    return {"forward_last": float(mp.sqrt(p)), "gradient_at_input": float(mp.sqrt(back))}

def pre_norm(width, hidden, s1, s2, eps, depth, p0, centred):
    """x + W2 gelu(W1 N(x)), W1 of spread s1, W2 of spread s2."""
    p, back, sizes = mp.mpf(p0), mp.mpf(1), []
    for _ in range(depth):
        q = width * s1 ** 2 * p / (p + eps)
        kept = (eps / (p + eps)) ** 2
        norm = (1 - (2 if centred else 1) / mp.mpf(width) + kept / width) / (p + eps)
        back *= 1 + width * s2 ** 2 * steep("gelu", q) * hidden * s1 ** 2 * norm
        p += hidden * s2 ** 2 * second("gelu", q)
        sizes.append(float(mp.sqrt(p)))
    return {"forward": sizes, "gradient_at_input": float(mp.sqrt(back))}

def post_norm(width, hidden, skip, beta, name, depth=1):
    """One block N(skip x + W2 f(W1 x)) from E x^2 = 1, xavier times beta, eps 1e-5, layernorm; random gradient on top."""
    v = mp.mpf(2) / (width + hidden) * beta ** 2
    q = width * v
    c = hidden * v * second(name, q)
    total = skip ** 2 + c
    eps = mp.mpf("1e-5")
    norm = (1 - mp.mpf(2) / width + (eps / (total + eps)) ** 2 / width) / (total + eps)
    return {"branch_rms": float(mp.sqrt(c)), "forward": float(mp.sqrt(total / (total + eps))),
            "gradient": float(mp.sqrt(norm * (skip ** 2 + width * v * steep(name, q) * hidden * v)))}

def jacobian_mean_square(centred, eps):
    """E |J g|^2 / d for g ~ N(0, 1), J of a vector of 8 whose mean the rmsnorm keeps."""
    x = [mp.mpf(k) for k in (3, -1, 4, 1, -5, 9, -2, -6)]
    d = len(x)
    centre = sum(x) / d if centred else mp.mpf(0)
    y = [v - centre for v in x]
    m = sum(v * v for v in y) / d
    root = mp.sqrt(m + eps)
    total = mp.mpf(0)
    for i in range(d):
        for j in range(d):
            entry = ((1 if i == j else 0) - (mp.mpf(1) / d if centred else 0) - y[i] * y[j] / (d * (m + eps))) / root
            total += entry ** 2
    return {"centred": centred, "eps": float(eps), "values": [float(v) for v in x], "mean_square": float(total / d)}

def linear_law(width, depth):
    half = mp.mpf(width) / 2
    return {"width": width, "depth": depth, "mean": float(depth * (mp.psi(0, half) - mp.log(half)) / 2),
            "deviation": float(mp.sqrt(depth * mp.psi(1, half)) / 2)}

def main():
    say = lambda text: print(text, file=sys.stderr, flush=True)
    out = {"made_with": {"mpmath": mp.__version__, "digits": mp.mp.dps}}
    stacks = [("linear", 512), ("linear", mp.mpf(1) / 4), ("relu", 1), ("relu", 2), ("tanh", 1), ("tanh", mp.mpf(25) / 9),
              ("erf", 1), ("sigmoid", 1), ("sigmoid", 16), ("gelu", 2), ("gelu", mp.mpf("2.35172")), ("silu", 2),
              ("silu", mp.mpf("2.81076")), ("selu", 1), ("selu", mp.mpf(9) / 16)]
    out["stacks"] = []
    for name, sw2 in stacks:
        out["stacks"].append(plain_stack(name, mp.mpf(sw2)))
        say(f"stack {name} {sw2}")
    out["fixed"] = [edge(n, mp.mpf(b), mp.mpf(q)) for n, b, q in (
        ("tanh", "0.0025", "0.154"), ("tanh", "0.05", "0.57"), ("tanh", "0.25", "1.318"), ("erf", "0.01", "0.253"),
        ("erf", "0.25", "1.183"), ("gelu", "0.01", "0.183"), ("gelu", "0.1", "1.632"), ("silu", "0.04", "0.689"))]
    say("fixed")
    out["biased"] = [biased("tanh", 0.5, 0.3, 0), biased("gelu", 1.5, -0.4, 0), biased("relu", 0.02, 0, 0.04),
                     biased("sigmoid", 1, 0, 2), biased("gelu", 3, 0, 0.5), biased("selu", 0.1, 0.7, 0)]
    say("biased")
    out["pairs"] = [pair(n, mp.mpf(q), mp.mpf(c)) for n, q, c in (
        ("tanh", 1, "0.5"), ("tanh", 9, "-0.7"), ("gelu", 1, "0.9"), ("gelu", "0.01", "0"), ("silu", 4, "0.3"),
        ("selu", 1, "0.5"), ("erf", 2, "0.6"), ("relu", 1, "0.25"), ("sigmoid", 16, "0.7"))]
    say("pairs")
    out["tanh_residual"] = tanh_residual()
    out["gpt2_stream"] = pre_norm(256, 1024, mp.mpf("0.02"), mp.mpf("0.02"), mp.mpf("1e-5"), 48, mp.mpf("0.0004"), True)
    out["gpt2_scaled"] = pre_norm(256, 1024, mp.mpf("0.02"), mp.mpf("0.02") / mp.sqrt(48), mp.mpf("1e-5"), 48,
                                  mp.mpf("0.0004"), True)
    out["rms_stream"] = pre_norm(128, 256, mp.mpf("0.1"), mp.mpf("0.1"), mp.mpf("0.3"), 12, 1, False)
    out["post_block"] = post_norm(256, 1024, mp.mpf(1), mp.mpf(1), "gelu")
    out["deepnorm_block"] = post_norm(128, 512, mp.mpf(1), mp.mpf(4) ** mp.mpf("-0.25"), "relu")
    out["norms"] = [jacobian_mean_square(c, mp.mpf(e)) for c in (True, False) for e in ("1e-5", "0.3", "20")]
    out["linear_law"] = [linear_law(512, 50), linear_law(64, 20), linear_law(7, 3)]
    with open(sys.argv[1], "w") as stream:
        json.dump(out, stream, indent=1)
        stream.write("\n")

if __name__ == "__main__":
    main()
