"""Exports networks of one operator behind a convolution, of the size that networks have it, and some that are made of transposed
convolutions; as networks.py exports networks:

    python3 bench/pytorch/operators.py DIR [PART-OF-A-NAME ...]
    ./mie bench kernels --models DIR --batch 1 --device opencl

The benchmark has each launch beside the machine's peaks and ONNX Runtime's node, so that an operator shows that has no fast
kernel behind what a convolution writes. Weights are random. Needs PyTorch, onnx and onnxruntime.
"""

import functools

import torch
from networks import BATCH, Function, main, numbers, write
from torch import nn
from torch.nn import functional as F

CHANNELS = 64

# What each is given: a line of sound, an image, a volume.
FEEDS = {1: numbers(1, 16, 2000), 2: numbers(1, 16, 56, 56), 3: numbers(1, 16, 8, 28, 28)}


def grid(x):
    places = torch.linspace(-1, 1, 50)
    return F.grid_sample(x, torch.stack(torch.meshgrid(places, places, indexing="ij"), -1)[None], align_corners=False)


IMAGES = {
    "up-nearest": nn.Upsample(scale_factor=2),
    "up-linear": nn.Upsample(scale_factor=2, mode="bilinear"),
    "up-cubic": nn.Upsample(scale_factor=2, mode="bicubic"),
    "softmax-channels": nn.Softmax(1),
    "softmax-rows": nn.Softmax(3),
    "argmax-channels": lambda x: x.argmax(1),
    "mean-channels": lambda x: x.mean(1, keepdim=True),
    "mean-pixels": lambda x: x.mean((2, 3)),
    "max-pixels": lambda x: x.amax((2, 3)),
    "max-rows": lambda x: x.amax(3),
    "normalize": lambda x: F.normalize(x, dim=1),
    "group-norm": nn.GroupNorm(8, CHANNELS),
    "instance-norm": nn.InstanceNorm2d(CHANNELS, affine=True),
    "layer-norm": lambda x: F.layer_norm(x.permute(0, 2, 3, 1), (CHANNELS,)).permute(0, 3, 1, 2),
    "response-norm": nn.LocalResponseNorm(5),
    "pixel-shuffle": nn.PixelShuffle(2),
    "channels-last": lambda x: x.permute(0, 2, 3, 1),
    "flip": lambda x: x.flip(3),
    "roll": lambda x: torch.roll(x, (3, 3), (2, 3)),
    "windows": lambda x: x.permute(0, 2, 3, 1).view(1, 8, 7, 8, 7, CHANNELS).permute(0, 1, 3, 2, 4, 5).reshape(64, 49, CHANNELS),
    "pad-zero": nn.ZeroPad2d(3),
    "pad-mirror": nn.ReflectionPad2d(3),
    "pad-edge": nn.ReplicationPad2d(3),
    "join-channels": lambda x: torch.cat([x[:, :20], x[:, 20:].relu(), x], 1),
    "max-pool-3": nn.MaxPool2d(3, 2, 1),
    "max-pool-5": nn.MaxPool2d(5, 1, 2),
    "max-pool-13": nn.MaxPool2d(13, 1, 6),
    "average-pool": nn.AvgPool2d(3, 1, 1),
    "cumsum": lambda x: x.cumsum(3),
    "topk": lambda x: x.topk(5, 3)[0],
    "sort": lambda x: x.sort(3)[0],
    "unfold": nn.Unfold(3, padding=1),
    "gram": lambda x: x.flatten(2) @ x.flatten(2).transpose(1, 2),
    "distances": lambda x: torch.cdist(x.flatten(2)[0], 1 - x.flatten(2)[0]),
    "excite": lambda x: x * torch.sigmoid(x.mean((2, 3), keepdim=True)),
    "grid": grid,
    "depthwise-3": nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, groups=CHANNELS),
    "depthwise-31": nn.Conv2d(CHANNELS, CHANNELS, 31, padding=15, groups=CHANNELS),
    "groups": nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, groups=32),
    "dilated": nn.Conv2d(CHANNELS, CHANNELS, 3, padding=12, dilation=12),
    "transposed-2": nn.ConvTranspose2d(CHANNELS, 32, 2, 2),
    "transposed-3": nn.ConvTranspose2d(CHANNELS, 32, 3, 2, 1, 1),
    "transposed-4": nn.ConvTranspose2d(CHANNELS, 32, 4, 2, 1),
    "transposed-16": nn.ConvTranspose2d(CHANNELS, 21, 16, 8, 4),
    "transposed-to-3": nn.ConvTranspose2d(CHANNELS, 3, 4, 2, 1),
    "transposed-depthwise": nn.ConvTranspose2d(CHANNELS, CHANNELS, 4, 2, 1, groups=CHANNELS),
}

LINES = {
    "transposed-4": nn.ConvTranspose1d(CHANNELS, CHANNELS, 4, 2, 1),
    "transposed-16": nn.ConvTranspose1d(CHANNELS, 32, 16, 8, 4),
    "depthwise-31": nn.Conv1d(CHANNELS, CHANNELS, 31, padding=15, groups=CHANNELS),
    "dilated": nn.Conv1d(CHANNELS, CHANNELS, 3, padding=4, dilation=4),
    "gate": lambda x: torch.tanh(x[:, :32]) * torch.sigmoid(x[:, 32:]),
    "max": lambda x: x.amax(2),
    "max-pool": nn.MaxPool1d(2),
    "group-norm": nn.GroupNorm(1, CHANNELS),
    "pad-mirror": nn.ReflectionPad1d(40),
    "up-linear": nn.Upsample(scale_factor=2, mode="linear"),
}

VOLUMES = {
    "convolution": nn.Conv3d(CHANNELS, CHANNELS, 3, padding=1),
    "depthwise": nn.Conv3d(CHANNELS, CHANNELS, 3, padding=1, groups=CHANNELS),
    "transposed-2": nn.ConvTranspose3d(CHANNELS, 32, 2, 2),
    "transposed-4": nn.ConvTranspose3d(CHANNELS, 32, 4, 2, 1),
    "max-pool": nn.MaxPool3d(2),
    "max-all": nn.AdaptiveMaxPool3d(1),
    "up-linear": nn.Upsample(scale_factor=2, mode="trilinear"),
    "max-frames": lambda x: x.amax(2),
}


class Behind(nn.Module):
    """What follows a pointwise convolution."""

    def __init__(self, axes, then):
        super().__init__()
        self.first = getattr(nn, f"Conv{axes}d")(16, CHANNELS, 1)
        self.then = then if isinstance(then, nn.Module) else Function(then)

    def forward(self, x):
        return self.then(self.first(x))


def upscaled(before, after, kernel, stride, pad, more=0, axes=2):
    """A transposed convolution, a normalisation and a function, as generators have them."""
    transposed = getattr(nn, f"ConvTranspose{axes}d")(before, after, kernel, stride, pad, more)
    return nn.Sequential(transposed, getattr(nn, f"BatchNorm{axes}d")(after), nn.ReLU())


def dcgan():
    return nn.Sequential(
        upscaled(100, 160, 4, 1, 0), upscaled(160, 128, 4, 2, 1), upscaled(128, 64, 4, 2, 1), upscaled(64, 32, 4, 2, 1),
        nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Tanh())


def styled():
    """A generator of pictures from pictures, as CycleGAN's."""
    down = [nn.Sequential(nn.Conv2d(n, 2 * n, 3, 2, 1), nn.InstanceNorm2d(2 * n), nn.ReLU()) for n in (32, 64)]
    block = nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(128, 128, 3), nn.InstanceNorm2d(128), nn.ReLU())
    return nn.Sequential(
        nn.ReflectionPad2d(3), nn.Conv2d(3, 32, 7), nn.InstanceNorm2d(32), nn.ReLU(), *down, block,
        upscaled(128, 64, 3, 2, 1, 1), upscaled(64, 32, 3, 2, 1, 1), nn.ReflectionPad2d(3), nn.Conv2d(32, 3, 7), nn.Tanh())


def segmenter():
    """A fully convolutional network: one step up of 8."""
    steps = [nn.Sequential(nn.Conv2d(n, m, 3, 2, 1), nn.ReLU()) for n, m in ((3, 64), (64, 64), (64, 128))]
    return nn.Sequential(*steps, nn.Conv2d(128, 21, 1), nn.ConvTranspose2d(21, 21, 16, 8, 4))


def vocoder():
    """From a spectrum to sound, as HiFi-GAN goes."""
    return nn.Sequential(
        nn.Conv1d(80, 128, 7, padding=3), upscaled(128, 64, 16, 8, 4, axes=1), upscaled(64, 32, 16, 8, 4, axes=1),
        upscaled(32, 16, 4, 2, 1, axes=1), nn.Conv1d(16, 1, 7, padding=3), nn.Tanh())


class Points(nn.Module):
    """PointNet's features and what they say, of 1,024 points."""

    def __init__(self):
        super().__init__()
        self.each = nn.Sequential(nn.Conv1d(3, 64, 1), nn.ReLU(), nn.Conv1d(64, 128, 1), nn.ReLU(), nn.Conv1d(128, 1024, 1))
        self.all = nn.Sequential(nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 40))

    def forward(self, x):
        return self.all(self.each(x).max(-1)[0])


NETWORKS = {
    "network-dcgan": (dcgan, numbers(2, 100, 1, 1)),
    "network-styled": (styled, numbers(2, 3, 128, 128)),
    "network-segmenter": (segmenter, numbers(2, 3, 64, 96)),
    "network-vocoder": (vocoder, numbers(2, 80, 64)),
    "network-points": (Points, numbers(2, 3, 1024)),
}


def operator(folder, axes, then):
    write(folder, Behind(axes, then), (FEEDS[axes],), older=True)


def network(folder, make, feed):
    write(folder, make(), (feed,), open_axes=[BATCH], older=True)


def operators():
    """A function that writes a network, by its name."""
    found = {}
    for axes, prefix, of in ((2, "", IMAGES), (1, "line-", LINES), (3, "volume-", VOLUMES)):
        for name, then in of.items():
            found[prefix + name] = functools.partial(operator, axes=axes, then=then)
    for name, (make, feed) in NETWORKS.items():
        found[name] = functools.partial(network, make=make, feed=feed)
    return found


if __name__ == "__main__":
    main(operators, __doc__)
