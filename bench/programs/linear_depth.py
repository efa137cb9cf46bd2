"""Step 1 in NumPy: what a user would write instead of `sigstab run linear-depth --format article`."""
import numpy as np

WIDTH, DEPTH, SHOWN = 512, 50, (1, 2, 10, 50)
stream = np.random.default_rng(0)
start = stream.standard_normal(WIDTH)
for label, spread in (("sigma = 1", 1.0), ("sigma = 1/sqrt(d)", WIDTH**-0.5), ("sigma = 0.5/sqrt(d)", 0.5 * WIDTH**-0.5)):
    signal, row = start, []
    for layer in range(1, DEPTH + 1):
        signal = (stream.standard_normal((WIDTH, WIDTH)) * spread) @ signal
        if layer in SHOWN:
            row.append(f"L{layer}: {np.sqrt(np.mean(np.square(signal))):.3g}")
    print(f"{label:20}" + "  ".join(row))
