"""Exports PyTorch's layers and functions one by one, as networks.py exports networks:

    python3 bench/pytorch/layers.py DIR [PART-OF-A-NAME ...]
    ./mie verify DIR

Each is written by both exporters, where they can: by today's, and by the older one under a name that begins with `script`.
Needs PyTorch, torchvision, onnxscript, onnx and onnxruntime.
"""

import functools

import torch
import torchvision
from networks import BATCH, SEQUENCE, Function, main, numbers, tokens, write
from torch import nn
from torch.nn import functional as F

PLANE = {0: "batch", 2: "height", 3: "width"}
TIMES = {0: "batch", 2: "time"}

ROWS = (numbers(3, 8), numbers(5, 8))
LINES = (numbers(2, 4, 11), numbers(3, 4, 17))
IMAGES = (numbers(2, 4, 9, 10), numbers(3, 4, 12, 8))
VOLUMES = (numbers(2, 4, 5, 6, 7),)
STEPS = (numbers(3, 5, 8), numbers(2, 7, 8))
BOXES = torch.tensor([[0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 9, 9.5]])


# --- layers, each with what it is given and which sizes of that are open ---


def activations():
    names = """ELU Hardshrink Hardsigmoid Hardtanh Hardswish LeakyReLU LogSigmoid PReLU ReLU ReLU6 SELU CELU GELU Sigmoid SiLU Mish
    Softplus Softshrink Softsign Tanh Tanhshrink GLU"""
    found = {name: getattr(nn, name)() for name in names.split()}
    found |= {name: getattr(nn, name)(dim=1) for name in ("Softmin", "Softmax", "LogSoftmax")}
    return found | {"GELU-tanh": nn.GELU(approximate="tanh"), "Threshold": nn.Threshold(0.1, 20)}


def of_rows():
    return {
        "BatchNorm1d": nn.BatchNorm1d(8),
        "LayerNorm": nn.LayerNorm(8),
        "RMSNorm": nn.RMSNorm(8),
        "Linear": nn.Linear(8, 3),
        "GRUCell": nn.GRUCell(8, 6),
        "LSTMCell": nn.LSTMCell(8, 6),
        "RNNCell": nn.RNNCell(8, 6),
    }


def of_lines():
    found = {name: getattr(nn, name)(2) for name in ("ReflectionPad1d", "ReplicationPad1d", "ZeroPad1d", "CircularPad1d")}
    return found | {
        "AdaptiveAvgPool1d": nn.AdaptiveAvgPool1d(1),
        "AdaptiveMaxPool1d": nn.AdaptiveMaxPool1d(1),
        "Conv1d": nn.Conv1d(4, 6, 3, padding=1, stride=2),
        "Conv1d-same": nn.Conv1d(4, 6, 4, padding="same", dilation=2),
        "ConvTranspose1d": nn.ConvTranspose1d(4, 6, 3, stride=2, output_padding=1),
        "InstanceNorm1d": nn.InstanceNorm1d(4, affine=True),
        "weight_norm": nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 6, 3)),
        "interpolate-linear": Function(lambda x: F.interpolate(x, scale_factor=1.7, mode="linear")),
    }


def of_images():
    found = {
        f"interpolate-{mode}": Function(functools.partial(F.interpolate, scale_factor=2.0, mode=mode))
        for mode in ("nearest", "bilinear", "bicubic", "nearest-exact")
    }
    for name in ("ReflectionPad2d", "ReplicationPad2d", "ZeroPad2d", "CircularPad2d"):
        found[name] = getattr(nn, name)((1, 2, 2, 1))
    for mode in ("reflect", "circular", "replicate"):
        found[f"Conv2d-{mode}"] = nn.Conv2d(4, 6, 3, padding=1, padding_mode=mode)
    return found | {
        "AdaptiveAvgPool2d": nn.AdaptiveAvgPool2d(1),
        "AdaptiveMaxPool2d": nn.AdaptiveMaxPool2d(1),
        "AvgPool2d": nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False),
        "BatchNorm2d": nn.BatchNorm2d(4),
        "ChannelShuffle": nn.ChannelShuffle(2),
        "Conv2d-groups": nn.Conv2d(4, 8, 3, groups=2, dilation=2),
        "ConvTranspose2d": nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, groups=2),
        "GroupNorm": nn.GroupNorm(2, 4),
        "InstanceNorm2d": nn.InstanceNorm2d(4),
        "LocalResponseNorm": nn.LocalResponseNorm(3),
        "LPPool2d": nn.LPPool2d(2, 3, stride=2),
        "MaxPool2d": nn.MaxPool2d(3, stride=2, padding=1),
        "PixelShuffle": nn.PixelShuffle(2),
        "Softmax2d": nn.Softmax2d(),
        "SqueezeExcitation": torchvision.ops.SqueezeExcitation(4, 2),
    }


def of_steps():
    encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation="gelu", norm_first=True)
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    return {
        "Linear-3d": nn.Linear(8, 3),
        "MultiheadAttention": Function(lambda layer, x: layer(x, x, x), attention),
        "TransformerEncoder": nn.TransformerEncoder(encoder, 2, enable_nested_tensor=False),
        "Transformer-decoder": Function(lambda layer, x: layer(x, x), nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)),
        "attention": Function(lambda x: F.scaled_dot_product_attention(x, x, x)),
        "attention-causal": Function(lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True)),
    }


def recurrent():
    for name in ("RNN", "LSTM", "GRU"):
        for layers, both in ((1, False), (1, True), (2, False), (2, True)):
            layer = getattr(nn, name)(8, 6, layers, bidirectional=both, batch_first=True)
            yield f"{name}-{layers}{'-both' if both else ''}", layer


# --- functions, of what each needs, in fixed sizes ---


def replaced(x):
    y = x.clone()
    y[:, 2:5] = 1
    y[0] += 3
    return y


def sampled(image, grid, mode):
    """Of an image with borders that go on, by a grid that reaches beyond it."""
    return F.grid_sample(image, grid * 1.4, mode=mode, padding_mode="border", align_corners=True)


def functions():
    ones, signed = numbers(3, 4), numbers(3, 4).flip(0) * 2
    indices = torch.tensor([[1, 3], [0, 2], [7, 5]])
    grid = numbers(2, 5, 6, 2).tanh()
    image = numbers(2, 4, 9, 10)
    q, k = numbers(2, 2, 5, 4), numbers(2, 2, 6, 4)
    return {
        "add-products": (lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), numbers(3, 5), numbers(3, 4), numbers(4, 5)),
        "affine_grid": (lambda t: F.affine_grid(t, (2, 3, 5, 6), align_corners=False), numbers(2, 2, 3)),
        "argmax": (lambda x: (x.argmax(1), x.argmin(0), x.argmax()), numbers(3, 8)),
        "attention-masked": (lambda q, k, m: F.scaled_dot_product_attention(q, k, k, attn_mask=m > 0), q, k, numbers(5, 6).abs()),
        "bucketize": (lambda x: torch.bucketize(x, torch.tensor([-1.0, 0, 0.5, 1])), numbers(3, 8)),
        "casts": (lambda x: (x.long(), x.int(), x.half(), x.double(), x.bool(), x.to(torch.int8)), numbers(3, 8)),
        "cdist": (torch.cdist, numbers(2, 5, 3), numbers(2, 4, 3)),
        "clamp": (lambda x, y: (x.clamp(-0.5, 0.5), x.clamp(max=y), torch.maximum(x, y)), ones, signed),
        "cross_entropy": (F.cross_entropy, numbers(3, 8), tokens(3, most=8)),
        "cumsum": (lambda x: x.cumsum(1), numbers(3, 8)),
        "deform_conv2d": (
            lambda x, o, w: torchvision.ops.deform_conv2d(x, o, w, padding=1),
            numbers(1, 4, 8, 8), numbers(1, 18, 8, 8), numbers(6, 4, 3, 3)),
        "diagonal": (lambda x: (x.diagonal(), torch.diag_embed(x)), numbers(4, 4)),
        "divisions": (lambda a, b: (a / b, torch.div(a, b, rounding_mode="trunc"), torch.fmod(a, b)), ones * 5, signed.abs() + 1),
        "einsum": (lambda a, b: torch.einsum("bhqd,bhkd->bhqk", a, b), q, k),
        "Embedding": (nn.Embedding(20, 8, padding_idx=0), tokens(3, 5, most=20)),
        "expand": (lambda x: x[:, None].expand(-1, 4, -1), numbers(3, 8)),
        "fft": (lambda x: torch.fft.fft(x).abs(), numbers(2, 16)),
        "flip": (lambda x: x.flip(1, 2), image),
        "fold": (lambda x: F.fold(x, (4, 5), (2, 2)), numbers(2, 12, 12)),
        "full": (lambda x: (torch.full((x.shape[0], 3), 2.5), torch.ones_like(x), torch.eye(4)), numbers(3, 8)),
        "gather": (lambda x, i: x.gather(1, i), numbers(3, 8), indices),
        "grid_sample": (lambda x, g: F.grid_sample(x, g, align_corners=False), image, grid),
        "grid_sample-bicubic": (functools.partial(sampled, mode="bicubic"), image, grid),
        "grid_sample-nearest": (functools.partial(sampled, mode="nearest"), image, grid),
        "index": (lambda x, i, j: x[i, j], numbers(3, 8), torch.tensor([0, 2, 1]), torch.tensor([7, 0, 3])),
        "index_add": (lambda x, i, s: x.index_add(0, i, s), numbers(5, 4), torch.tensor([1, 4, 2]), numbers(3, 4)),
        "index_put": (lambda x, i, s: x.index_put((i,), s), numbers(5, 4), torch.tensor([1, 4, 2]), numbers(3, 4)),
        "index_select": (lambda x, i: x.index_select(1, i), numbers(3, 8), torch.tensor([1, 3])),
        "logic": (lambda a, b: ((a > 0) & (b > 0), ~(a > 0), a.eq(b), (a > 0).any(1), (a > 0).all()), ones, signed),
        "logsumexp": (lambda x: x.logsumexp(1), numbers(3, 8)),
        "masked_fill": (lambda x: x.masked_fill(x > 0, -1e9), numbers(3, 8)),
        "math": (lambda x: (x.exp(), x.abs().log1p(), x.abs().rsqrt(), x.sin(), x.atan(), x.erf()), numbers(3, 8) + 0.01),
        "max": (lambda x: x.max(1), numbers(3, 8)),
        "max_pool-indices": (lambda x: F.max_pool2d(x, 2, return_indices=True), image),
        "max_unpool": (lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), numbers(2, 4, 8, 8)),
        "means": (lambda x: (x.mean((2, 3)), x.sum((0, 2)), x.amax((1, 2)), x.prod(1)), image),
        "meshgrid": (lambda a, b: torch.meshgrid(a, b, indexing="ij"), numbers(3), numbers(4)),
        "nms": (lambda b, s: torchvision.ops.nms(b, s, 0.5), BOXES, torch.tensor([0.9, 0.8, 0.7, 0.95])),
        "nonzero": (lambda x: (x > 0).nonzero(), numbers(3, 8)),
        "norms": (lambda x: (x.norm(dim=1), x.norm(1, 1), F.normalize(x, dim=1)), numbers(3, 8)),
        "one_hot": (lambda i: F.one_hot(i, 10), tokens(3, 4, most=10)),
        "permute": (lambda x: x.permute(0, 3, 1, 2).reshape(x.shape[0], -1), image),
        "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), numbers(2, 3, 8, 6)),
        "powers": (lambda a, b: (a.abs() ** b, a**2, a**3, a.abs() ** 0.5, 2**a), ones, signed),
        "repeat": (lambda x: (x.repeat(2, 3), x.repeat_interleave(2, 1), x.tile(2, 1, 2)), numbers(3, 8)),
        "replace": (replaced, numbers(3, 8)),
        "roi_align": (lambda x, b: torchvision.ops.roi_align(x, [b], (3, 3), 0.5, 2, aligned=True), numbers(1, 4, 16, 16), BOXES),
        "roll": (lambda x: x.roll((1, 2), (2, 3)), image),
        "round": (lambda x: (x.round(), x.round(decimals=2), x.trunc(), x.frac()), numbers(3, 8)),
        "scatter": (lambda x, i, s: x.scatter(1, i, s), numbers(3, 8), indices, numbers(3, 2)),
        "scatter_add": (lambda x, i, s: x.scatter_add(1, i, s), numbers(3, 8), indices, numbers(3, 2)),
        "scatter_reduce": (lambda x, i, s: x.scatter_reduce(1, i, s, "amax"), numbers(3, 8), indices, numbers(3, 2)),
        "slices": (lambda x: (x[:, 1::3], x[..., -3:], x.narrow(1, 2, 4)), numbers(3, 8)),
        "sort": (lambda x: torch.sort(x, descending=True), numbers(3, 8)),
        "split": (lambda x: (*x.split(3, 1), *x.chunk(3, 1), *x.unbind(0)), numbers(3, 8)),
        "stack": (lambda a, b: (torch.stack([a, b], 1), torch.hstack([a, b]), torch.cat([a, b])), ones, signed),
        "std": (lambda x: (x.std(1), x.var(1, unbiased=False)), numbers(3, 8)),
        "topk": (lambda x: torch.topk(x, 3), numbers(3, 8)),
        "triangles": (lambda x: (x.triu(1), x.tril(-1)), numbers(5, 6)),
        "unfold": (lambda x: F.unfold(x, (3, 3), padding=1, stride=2), image),
        "unique": (lambda x: torch.unique(x, return_inverse=True, return_counts=True), tokens(12, most=9)),
        "where": (lambda x, y: torch.where(x > y, x, y * 2), ones, signed),
    }


# --- all of them ---


def layers():
    """A function that writes a layer or a function, by its name."""
    found = {}

    def add(name, network, feeds, axes=None):
        for older in (False, True):
            found[("script-" if older else "") + name] = functools.partial(
                write, network=network, inputs=feeds[0], others=feeds[1:], open_axes=axes, older=older)

    kinds = (
        (activations().items(), ROWS, BATCH), (of_rows().items(), ROWS, BATCH), (of_lines().items(), LINES, TIMES),
        (of_images().items(), IMAGES, PLANE), (of_steps().items(), STEPS, SEQUENCE), (recurrent(), STEPS, SEQUENCE))
    for kind, inputs, axes in kinds:
        for name, network in kind:
            add(name, network, [(x,) for x in inputs], [axes])
    for network in (nn.MaxPool3d(3, 2, 1), nn.Conv3d(4, 6, 3, padding=1), nn.ConvTranspose3d(4, 2, 3, stride=2)):
        add(type(network).__name__, network, [(x,) for x in VOLUMES])
    for name, (function, *inputs) in functions().items():
        add(name, function if isinstance(function, nn.Module) else Function(function), [tuple(inputs)])
    return found


if __name__ == "__main__":
    main(layers, __doc__)
