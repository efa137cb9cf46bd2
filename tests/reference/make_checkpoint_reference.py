#!/usr/bin/python3
"""Writes small safetensors files, and what NumPy, PyTorch and exact fractions say of them, to tests/reference/checkpoint.

formats.json   every value of float8 as the OCP definition has it, in hexadecimal, and SHA-256 of what PyTorch makes of all
               65536 codes of float16 and bfloat16 as float32 (NaN, which has many codes, as 0x7fc00000)
*.safetensors  written by struct and json alone
sizes.json     count, mean, spread, RMS and largest of every tensor, by NumPy in long double
forward.json   forward RMS, layer by layer, of stacks on these weights, by NumPy in float64

usage: make_checkpoint_reference.py    (needs python3-numpy, python3-torch)
"""
import fractions, hashlib, json, pathlib, struct
import numpy as np
import torch

FOLDER = pathlib.Path(__file__).resolve().parent / "checkpoint"


def float8(code, exponent_bits, finite):
    """The value of an OCP float8 code: a fraction, or inf or nan as a float."""
    mantissa_bits = 7 - exponent_bits
    bias = 2 ** (exponent_bits - 1) - 1
    sign, exponent, mantissa = code >> 7, code >> mantissa_bits & (1 << exponent_bits) - 1, code & (1 << mantissa_bits) - 1
    top = exponent == (1 << exponent_bits) - 1
    if top and finite and mantissa == (1 << mantissa_bits) - 1:
        return float("nan")
    if top and not finite:
        return float("nan") if mantissa else float("-inf" if sign else "inf")
    share = fractions.Fraction(mantissa, 1 << mantissa_bits)
    value = (1 + share) * fractions.Fraction(2) ** (exponent - bias) if exponent else share * fractions.Fraction(2) ** (1 - bias)
    return -value if sign else value


def hex_of(value, sign):
    return (-0.0 if value == 0 and sign else float(value)).hex()


def all_float8(exponent_bits, finite):
    return [hex_of(float8(code, exponent_bits, finite), code >> 7) for code in range(256)]


def sha_of_all(dtype):
    codes = np.arange(65536, dtype=np.uint16).view(np.int16)
    values = torch.from_numpy(codes.copy()).view(dtype).to(torch.float32).numpy().copy()
    bits = values.view(np.uint32)
    bits[np.isnan(values)] = 0x7FC00000
    return hashlib.sha256(bits.astype("<u4").tobytes()).hexdigest()


E4M3 = np.array([float(float8(c, 4, True)) for c in range(256)])
E5M2 = np.array([float(float8(c, 5, False)) for c in range(256)])


class Tensor:
    """Stored bytes, and the numbers that they are, in float64."""

    def __init__(self, dtype, shape, raw, numbers):
        self.dtype, self.shape, self.raw, self.numbers = dtype, list(shape), raw, numbers


def stored(dtype, x):
    """x as that dtype stores it."""
    x = np.asarray(x)
    if dtype == "F64":
        return Tensor(dtype, x.shape, x.astype("<f8").tobytes(), x.astype(np.float64))
    if dtype == "F32":
        y = x.astype("<f4")
        return Tensor(dtype, x.shape, y.tobytes(), y.astype(np.float64))
    if dtype == "F16":
        y = x.astype("<f2")
        return Tensor(dtype, x.shape, y.tobytes(), y.astype(np.float64))
    if dtype == "BF16":
        y = torch.from_numpy(x.astype(np.float32)).to(torch.bfloat16)
        return Tensor(dtype, x.shape, y.view(torch.int16).numpy().astype("<i2").tobytes(), y.to(torch.float64).numpy())
    if dtype in ("F8_E4M3", "F8_E5M2"):  # codes, not values
        y = x.astype(np.uint8)
        return Tensor(dtype, x.shape, y.tobytes(), (E4M3 if dtype == "F8_E4M3" else E5M2)[y])
    return Tensor(dtype, x.shape, x.astype("<i8").tobytes(), None)


def write(path, tensors, metadata=None):
    header, data = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, t in tensors.items():
        header[name] = {"dtype": t.dtype, "shape": t.shape, "data_offsets": [len(data), len(data) + len(t.raw)]}
        data += t.raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def sizes(t):
    finite = np.isfinite(t.numbers)
    x = t.numbers[finite].astype(np.longdouble).ravel()
    if x.size == 0:
        return {"finite": 0, "not_finite": int((~finite).sum())}
    # In long double, whose range holds squares of any double.
    mean = x.mean()
    return {"finite": x.size, "not_finite": int((~finite).sum()), "mean": float(mean), "spread": float(np.sqrt(((x - mean) ** 2).mean())),
            "rms": float(np.sqrt((x * x).mean())), "largest": float(abs(x).max())}


def model(rng, layers=3, width=6, hidden=10):
    tensors = {"model.embed_tokens.weight": stored("BF16", rng.normal(0, 0.02, (11, width)))}
    for layer in range(layers):
        p = f"model.layers.{layer}."
        tensors[p + "input_layernorm.weight"] = stored("F32", rng.normal(1 + layer / 4, 0.1, width))
        tensors[p + "self_attn.q_proj.weight"] = stored("F32", rng.normal(0, 0.5, (width, width)))
        tensors[p + "self_attn.q_proj.bias"] = stored("F16", rng.normal(0, 0.5, width))
        tensors[p + "mlp.gate_proj.weight"] = stored("F16", rng.normal(0, 0.4, (hidden, width)))
        tensors[p + "mlp.up_proj.weight"] = stored("BF16", rng.normal(0, 0.4, (hidden, width)))
        tensors[p + "mlp.down_proj.weight"] = stored("F64", rng.normal(0, 0.3, (width, hidden)))
    tensors["model.norm.weight"] = stored("BF16", rng.normal(3, 0.5, width))
    return tensors


def odd(rng):
    """What a reader could stumble over."""
    huge = rng.normal(0, 1, 3000) * (1e308 / 4)
    with_holes = rng.normal(0, 1, 9000)
    with_holes[[5, 4100, 8999]] = [np.nan, np.inf, -np.inf]
    return {
        "scalar": stored("F32", np.float32(-2.5)),
        "empty": stored("F32", np.zeros((0, 4))),
        "huge": stored("F64", huge),
        "tiny": stored("F64", rng.normal(0, 1, 3000) * 1e-300),
        "constant": stored("F64", np.full(5001, 0.3)),
        "offset": stored("F64", 1e6 + rng.normal(0, 1e-3, 5000)),
        "with_holes": stored("F32", with_holes),
        "nothing_finite": stored("F16", np.full(7, np.inf)),
        "codes.e4m3": stored("F8_E4M3", rng.integers(0, 127, (40, 50)) + 128 * rng.integers(0, 2, (40, 50))),
        "codes.e5m2": stored("F8_E5M2", rng.integers(0, 120, (40, 50)) + 128 * rng.integers(0, 2, (40, 50))),
        "half": stored("F16", rng.normal(0, 1e-4, 6000)),
        "conv.weight": stored("F32", rng.normal(0, 0.1, (8, 5, 3, 2))),
        "position_ids": stored("I64", np.arange(12).reshape(1, 12)),
        "name, with \"quotes\" and \u001b[31m": stored("BF16", rng.normal(0, 1, 30)),
    }


def rms(x):
    return float(np.sqrt(np.mean(x * x)))


def dense_tanh(m, x, gain):
    sizes = []
    for layer in range(3):
        x = np.tanh(gain * m[f"model.layers.{layer}.self_attn.q_proj.weight"].numbers @ x)
        sizes.append(rms(x))
    return sizes


def swiglu(m, x):
    sizes = []
    for layer in range(3):
        w = {k: m[f"model.layers.{layer}.mlp.{k}_proj.weight"].numbers for k in ("gate", "up", "down")}
        gate = w["gate"] @ x
        x = x + w["down"] @ (gate / (1 + np.exp(-gate)) * (w["up"] @ x))
        sizes.append(rms(x))
    return sizes


def conv1d(g, x):
    """GPT-2's layout: y = x W; layers 1 and 2 of the file."""
    sizes = []
    for layer in (1, 2):
        h = np.maximum(x @ g[f"h.{layer}.mlp.c_fc.weight"].numbers, 0)
        x = x + h @ g[f"h.{layer}.mlp.c_proj.weight"].numbers
        sizes.append(rms(x))
    return sizes


def main():
    rng = np.random.default_rng(20)
    FOLDER.mkdir(exist_ok=True)
    formats = {"F8_E4M3": all_float8(4, True), "F8_E5M2": all_float8(5, False), "F16": sha_of_all(torch.float16),
               "BF16": sha_of_all(torch.bfloat16)}
    (FOLDER / "formats.json").write_text(json.dumps(formats, indent=0) + "\n")

    tiny, strange = model(rng), odd(rng)
    write(FOLDER / "tiny.safetensors", tiny, {"format": "pt"})
    write(FOLDER / "odd.safetensors", strange)
    gpt2 = {}
    for layer in range(3):
        gpt2[f"h.{layer}.mlp.c_fc.weight"] = stored("F32", rng.normal(0, 0.3, (6, 24)))
        gpt2[f"h.{layer}.mlp.c_proj.weight"] = stored("F16", rng.normal(0, 0.2, (24, 6)))
    write(FOLDER / "conv1d.safetensors", gpt2)

    # The same model in two files.
    shards = FOLDER / "sharded"
    shards.mkdir(exist_ok=True)
    names = list(tiny)
    weight_map, parts = {}, [names[:7], names[7:]]
    for i, part in enumerate(parts):
        shard = f"model-0000{i + 1}-of-00002.safetensors"
        write(shards / shard, {name: tiny[name] for name in part})
        weight_map.update({name: shard for name in part})
    index = {"metadata": {"total_size": sum(len(t.raw) for t in tiny.values())}, "weight_map": weight_map}
    (shards / "model.safetensors.index.json").write_text(json.dumps(index, indent=1) + "\n")
    (shards / "config.json").write_text(json.dumps({"hidden_size": 6, "initializer_range": 0.02}, indent=1) + "\n")

    known = {name: sizes(t) for tensors in (tiny, strange, gpt2) for name, t in tensors.items() if t.numbers is not None}
    (FOLDER / "sizes.json").write_text(json.dumps(known, indent=0) + "\n")
    x = [0.5, -1.25, 2.0, -0.75, 1.5, -0.25]
    forward = {"input": x, "tanh_gain_1.5": dense_tanh(tiny, np.array(x), 1.5), "swiglu": swiglu(tiny, np.array(x)),
               "conv1d_first_1": conv1d(gpt2, np.array(x))}
    (FOLDER / "forward.json").write_text(json.dumps(forward, indent=1) + "\n")


main()
