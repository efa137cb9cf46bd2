"""Step 5 in PyTorch: what a user would write instead of `sigstab run tanh-residual --format article`."""
import torch

WIDTH, DEPTH = 512, 50


def size(t):
    return t.square().mean().sqrt().item()


torch.manual_seed(0)
weights = [torch.randn(WIDTH, WIDTH) * 0.5 / WIDTH**0.5 for _ in range(DEPTH)]
top = torch.randn(WIDTH)
for label, skip in (("plain    x -> tanh(Wx)", 0), ("residual x -> x + tanh(Wx)", 1)):
    start = torch.randn(WIDTH, requires_grad=True)
    signal = start
    for w in weights:
        branch = torch.tanh(w @ signal)
        signal = signal + branch if skip else branch
    signal.backward(top)
    print(f"{label:26}  output size {size(signal):.3g}   gradient at layer 1: {size(start.grad):.3g}")
