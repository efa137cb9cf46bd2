"""Step 4 in NumPy: what a user would write instead of `sigstab run norm-arithmetic --format article`."""
import numpy as np

np.set_printoptions(precision=3, suppress=True)


def layernorm(v, eps=1e-5):
    centred = v - v.mean()
    return centred / np.sqrt(np.mean(centred * centred) + eps)


def rmsnorm(v, eps=1e-5):
    return v / np.sqrt(np.mean(v * v) + eps)


v = np.array([4.0, -2.0, 6.0, 4.0])
print(f"mean {v.mean()}  variance {v.var()}  mean square {np.mean(v * v)}")
for scale in (1, 100, 0.01):
    print(f"x * {scale:<5} LayerNorm {layernorm(scale * v)}   RMSNorm {rmsnorm(scale * v)}")
small = 0.0001 * v
print(f"x * 0.0001 RMSNorm {rmsnorm(small)}  no eps {rmsnorm(small, 0.0)}")
flat = np.full(4, 5.0)
print(f"constant [5,5,5,5] LayerNorm {layernorm(flat)}")
with np.errstate(invalid="ignore"):
    print(f"constant, eps=0        {layernorm(flat, 0.0)}")
