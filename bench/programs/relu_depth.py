"""Step 2 in PyTorch: what a user would write instead of `sigstab run relu-depth --format article`."""
import torch

WIDTH, DEPTH = 512, 50


def size(t):
    return t.square().mean().sqrt().item()


torch.manual_seed(0)
for label, variance in (("1/d (no ReLU fix)", 1 / WIDTH), ("2/d (He)", 2 / WIDTH)):
    start = torch.randn(WIDTH, requires_grad=True)
    signal, forward = start, {}
    for layer in range(1, DEPTH + 1):
        signal = torch.relu((torch.randn(WIDTH, WIDTH) * variance**0.5) @ signal)
        forward[layer] = size(signal)
    signal.backward(torch.randn(WIDTH))
    print(f"{label:18} forward L1: {forward[1]:.3g}  L10: {forward[10]:.3g}  L50: {forward[50]:.3g}"
          f"   gradient at input: {size(start.grad):.3g}")
