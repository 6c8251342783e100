"""Exports networks as papers and tutorials write them, with what ONNX Runtime answers:

    python3 bench/pytorch/handmade.py DIR [PART-OF-A-NAME ...]
    ./mie verify DIR

Detectors, text in pictures, speech, styles, forecasts, recommendations, graphs. Weights are random. Needs what `networks.py`
needs, and torch_geometric for its layers.
"""

import functools
import importlib

import torch
from masks import Layers
from networks import BATCH, main, numbers, random_statistics, tokens, write
from torch import nn
from torch.nn import functional as F


def cbs(before, after, kernel=1, stride=1, groups=1, act=nn.SiLU):
    """Convolution, normalisation, function: the bricks of YOLO."""
    return nn.Sequential(nn.Conv2d(before, after, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(after), act())


class Split(nn.Module):
    """YOLOv8's C2f."""

    def __init__(self, before, after, depth=1, short=True):
        super().__init__()
        self.half, self.short = after // 2, short
        self.first, self.last = cbs(before, after), cbs((2 + depth) * self.half, after)
        self.parts = nn.ModuleList(nn.Sequential(cbs(self.half, self.half, 3), cbs(self.half, self.half, 3)) for _ in range(depth))

    def forward(self, x):
        y = list(self.first(x).chunk(2, 1))
        for part in self.parts:
            y.append(y[-1] + part(y[-1]) if self.short else part(y[-1]))
        return self.last(torch.cat(y, 1))


class Spatial(nn.Module):
    """YOLO's SPPF."""

    def __init__(self, width):
        super().__init__()
        self.first, self.last = cbs(width, width // 2), cbs(width * 2, width)

    def forward(self, x):
        y = [self.first(x)]
        for _ in range(3):
            y.append(F.max_pool2d(y[-1], 5, 1, 2))
        return self.last(torch.cat(y, 1))


class LeNet5(nn.Module):
    """Two convolutions with pools, three layers, as most first courses have it."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 6, 5), nn.Conv2d(6, 16, 5)
        self.layers = nn.Sequential(nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.second(x)), 2)
        return self.layers(torch.flatten(x, 1))


class Yolo8(nn.Module):
    """A small YOLOv8: distances as distributions, boxes decoded in the graph."""

    def __init__(self, classes=5, bins=16):
        super().__init__()
        self.classes, self.bins = classes, bins
        self.p3 = nn.Sequential(cbs(3, 8, 3, 2), cbs(8, 16, 3, 2), Split(16, 16), cbs(16, 32, 3, 2), Split(32, 32, 2))
        self.p4 = nn.Sequential(cbs(32, 48, 3, 2), Split(48, 48, 2))
        self.p5 = nn.Sequential(cbs(48, 64, 3, 2), Split(64, 64), Spatial(64))
        self.up4, self.up3 = Split(112, 48, short=False), Split(80, 32, short=False)
        self.to4, self.down4 = cbs(32, 32, 3, 2), Split(80, 48, short=False)
        self.to5, self.down5 = cbs(48, 48, 3, 2), Split(112, 64, short=False)
        self.box = nn.ModuleList(nn.Sequential(cbs(w, 32, 3), nn.Conv2d(32, 4 * bins, 1)) for w in (32, 48, 64))
        self.kind = nn.ModuleList(nn.Sequential(cbs(w, 32, 3), nn.Conv2d(32, classes, 1)) for w in (32, 48, 64))

    def levels(self, x):
        c3 = self.p3(x)
        c4 = self.p4(c3)
        c5 = self.p5(c4)
        n4 = self.up4(torch.cat([F.interpolate(c5, scale_factor=2.0), c4], 1))
        n3 = self.up3(torch.cat([F.interpolate(n4, scale_factor=2.0), c3], 1))
        n4 = self.down4(torch.cat([self.to4(n3), n4], 1))
        return n3, n4, self.down5(torch.cat([self.to5(n4), c5], 1))

    def forward(self, x):
        boxes, scores = [], []
        for level, stride, box, kind in zip(self.levels(x), (8, 16, 32), self.box, self.kind):
            rows, _, height, width = level.shape
            distance = box(level).view(rows, 4, self.bins, height * width).softmax(2)
            distance = (distance * torch.arange(self.bins, dtype=x.dtype, device=x.device).view(1, 1, -1, 1)).sum(2)
            ys, xs = torch.meshgrid(torch.arange(height, device=x.device), torch.arange(width, device=x.device), indexing="ij")
            centre = torch.stack([xs.flatten(), ys.flatten()]).to(x.dtype) + 0.5
            low, high = centre - distance[:, :2], centre + distance[:, 2:]
            boxes.append(torch.cat([(low + high) / 2, high - low], 1) * stride)
            scores.append(kind(level).flatten(2).sigmoid())
        return torch.cat([torch.cat(boxes, 2), torch.cat(scores, 2)], 1)


class Yolo5(nn.Module):
    """A small YOLOv5: anchors, a grid, views of five axes."""

    def __init__(self, classes=5):
        super().__init__()
        self.out = classes + 5
        self.body = nn.Sequential(cbs(3, 16, 6, 2), cbs(16, 32, 3, 2), Split(32, 32), cbs(32, 48, 3, 2))
        self.deep = nn.Sequential(cbs(48, 64, 3, 2), Spatial(64))
        self.heads = nn.ModuleList([nn.Conv2d(48, 3 * self.out, 1), nn.Conv2d(64, 3 * self.out, 1)])
        self.register_buffer("anchors", torch.tensor([[[10.0, 13], [16, 30], [33, 23]], [[30, 61], [62, 45], [59, 119]]]))

    def forward(self, x):
        middle = self.body(x)
        found = []
        for i, (level, stride) in enumerate(((middle, 8), (self.deep(middle), 16))):
            y = self.heads[i](level)
            rows, _, height, width = y.shape
            y = y.view(rows, 3, self.out, height, width).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
            ys, xs = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
            grid = torch.stack((xs, ys), 2).expand(1, 3, height, width, 2).to(y.dtype)
            xy, wh, rest = y.split((2, 2, self.out - 4), 4)
            xy, wh = (xy * 2 + grid - 0.5) * stride, (wh * 2) ** 2 * self.anchors[i].view(1, 3, 1, 1, 2)
            found.append(torch.cat((xy, wh, rest), 4).view(rows, -1, self.out))
        return torch.cat(found, 1)


class Read(nn.Module):
    """CRNN: columns of a picture of text, read by a recurrent layer (scores for CTC)."""

    def __init__(self):
        super().__init__()
        self.columns = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.MaxPool2d((2, 1)),
            nn.Conv2d(32, 32, (8, 1)),
            nn.ReLU(),
        )
        self.layers, self.head = nn.LSTM(32, 24, num_layers=2, bidirectional=True), nn.Linear(48, 20)

    def forward(self, x):
        y, _ = self.layers(self.columns(x).squeeze(2).permute(2, 0, 1))
        return self.head(y).log_softmax(2)


class Style(nn.Module):
    """Fast neural style: reflected borders, normalisation of each image, enlargement by neighbours."""

    def __init__(self):
        super().__init__()
        conv = lambda a, b, k, s=1: nn.Sequential(nn.ReflectionPad2d(k // 2), nn.Conv2d(a, b, k, s), nn.InstanceNorm2d(b, affine=True))
        self.head = nn.Sequential(conv(3, 8, 9), nn.ReLU(), conv(8, 16, 3, 2), nn.ReLU(), conv(16, 32, 3, 2), nn.ReLU())
        self.middle = nn.ModuleList(nn.Sequential(conv(32, 32, 3), nn.ReLU(), conv(32, 32, 3)) for _ in range(2))
        self.tail = nn.ModuleList([conv(32, 16, 3), conv(16, 8, 3)])
        self.last = nn.Sequential(nn.ReflectionPad2d(4), nn.Conv2d(8, 3, 9))

    def forward(self, x):
        y = self.head(x)
        for part in self.middle:
            y = y + part(y)
        for part in self.tail:
            y = F.relu(part(F.interpolate(y, scale_factor=2, mode="nearest")))
        return self.last(y)


class Dense(nn.Module):
    """ESRGAN's residual dense blocks, and an enlargement by pixel shuffle."""

    def __init__(self, width=16, grow=8):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.parts = nn.ModuleList(nn.Conv2d(width + i * grow, grow if i < 4 else width, 3, padding=1) for i in range(5))
        self.last = nn.Sequential(nn.Conv2d(width, 4 * width, 3, padding=1), nn.PixelShuffle(2), nn.LeakyReLU(0.2), nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, x):
        y = z = self.first(x)
        seen = [y]
        for i, part in enumerate(self.parts):
            z = part(torch.cat(seen, 1))
            if i < 4:
                seen.append(F.leaky_relu(z, 0.2))
        return self.last(y + 0.2 * z) + F.interpolate(x, scale_factor=2, mode="bicubic", align_corners=False)


class Wave(nn.Module):
    """A WaveNet: causal, dilated, gated."""

    def __init__(self, width=12):
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.gates = nn.ModuleList(nn.Conv1d(width, 2 * width, 2, dilation=2**i) for i in range(5))
        self.outs = nn.ModuleList(nn.Conv1d(width, 2 * width, 1) for _ in range(5))
        self.head = nn.Sequential(nn.ReLU(), nn.Conv1d(width, 16, 1), nn.ReLU(), nn.Conv1d(16, 16, 1))

    def forward(self, x):
        y, total = self.first(x), 0
        for i, (gate, out) in enumerate(zip(self.gates, self.outs)):
            a, b = gate(F.pad(y, (2**i, 0))).chunk(2, 1)
            rest, skip = out(torch.tanh(a) * torch.sigmoid(b)).chunk(2, 1)
            y, total = y + rest, total + skip
        return self.head(total)


class Spectrum(nn.Module):
    """A word spotter with its spectrogram inside the network."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(64))
        self.register_buffer("mel", torch.rand(33, 16) / 8)
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, 2), nn.ReLU(), nn.Conv2d(8, 8, 3, 1, 1, groups=8), nn.Conv2d(8, 16, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1)
        )
        self.head = nn.Linear(16, 6)

    def forward(self, x):
        power = torch.view_as_real(torch.stft(x, 64, 32, window=self.window, return_complex=True))
        y = torch.log(power.pow(2).sum(-1).transpose(1, 2) @ self.mel + 1e-6)
        return self.head(self.body(y.unsqueeze(1)).flatten(1))


class Recommend(nn.Module):
    """DLRM: bags of categories, their products with one another, and numbers."""

    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, 8, mode="sum") for n in (50, 30, 20))
        self.below = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU())
        self.above = nn.Sequential(nn.Linear(14, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, dense, sparse):
        x = self.below(dense)
        z = torch.stack([x] + [table(sparse[:, i]) for i, table in enumerate(self.tables)], 1)
        products = torch.bmm(z, z.transpose(1, 2))
        row, column = torch.tril_indices(4, 4, -1)
        return torch.sigmoid(self.above(torch.cat([x, products[:, row, column]], 1)))


class Machine(nn.Module):
    """DeepFM: linear, pairwise and deep over one table."""

    def __init__(self):
        super().__init__()
        self.linear, self.table = nn.Embedding(100, 1), nn.Embedding(100, 8)
        self.deep = nn.Sequential(nn.Linear(40, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))

    def forward(self, x):
        v = self.table(x)
        pairs = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(1, keepdim=True)
        return torch.sigmoid(self.linear(x).sum(1) + pairs + self.deep(v.flatten(1)))


class Tabular(nn.Module):
    """TabNet's step: attention by sparsemax, gated units."""

    def __init__(self, width=10):
        super().__init__()
        self.norm, self.attend = nn.BatchNorm1d(width), nn.Linear(width, width)
        self.feature, self.head = nn.Linear(width, 24), nn.Linear(12, 3)

    @staticmethod
    def sparsemax(z):
        ordered, _ = torch.sort(z, dim=-1, descending=True)
        total = ordered.cumsum(-1)
        count = torch.arange(1, z.shape[-1] + 1, dtype=z.dtype, device=z.device)
        support = (1 + count * ordered > total).to(z.dtype).sum(-1, keepdim=True)
        tau = (total.gather(-1, support.long() - 1) - 1) / support
        return torch.clamp(z - tau, min=0)

    def forward(self, x):
        x = self.norm(x)
        mask = self.sparsemax(self.attend(x))
        return self.head(F.glu(self.feature(mask * x))), mask


class Forecast(nn.Module):
    """N-BEATS: blocks that explain what is left of a series."""

    def __init__(self, past=24, future=8):
        super().__init__()
        self.past = past
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(past, 32), nn.ReLU(), nn.Linear(32, past + future)) for _ in range(3))

    def forward(self, x):
        scale = x.abs().mean(1, keepdim=True) + 1e-3
        left, total = x / scale, 0
        for block in self.blocks:
            y = block(left)
            left, total = left - y[:, : self.past], total + y[:, self.past :]
        return total * scale


class Points(nn.Module):
    """PointNet: the largest over points, and a transformation learnt of them."""

    def __init__(self):
        super().__init__()
        mlp = lambda *w: nn.Sequential(*(m for a, b in zip(w, w[1:]) for m in (nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), nn.ReLU())))
        self.turn, self.turned = mlp(3, 16, 32), nn.Linear(32, 9)
        self.body, self.head = mlp(3, 16, 64), nn.Linear(64, 5)

    def forward(self, x):
        turn = self.turned(self.turn(x).amax(2)).view(-1, 3, 3) + torch.eye(3, device=x.device)
        return self.head(self.body(torch.bmm(turn, x)).max(2).values)


class Rays(nn.Module):
    """NeRF: sines of places, densities added along a ray."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3 + 3 * 2 * 6, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, origin, direction):
        t = torch.linspace(0.5, 3, 16, device=origin.device)
        x = origin[:, None] + direction[:, None] * t[:, None]
        waves = [f(x * 2.0**i) for i in range(6) for f in (torch.sin, torch.cos)]
        y = self.body(torch.cat([x, *waves], -1))
        opaque = 1 - torch.exp(-F.softplus(y[..., 3]) * (2.5 / 15))
        through = torch.log(1 - opaque + 1e-10)  # the exporters know no cumprod
        seen = torch.exp(torch.cumsum(through, 1) - through)
        return ((seen * opaque)[..., None] * torch.sigmoid(y[..., :3])).sum(1)


class Turned(nn.Module):
    """A spatial transformer: a grid that the network itself turns."""

    def __init__(self):
        super().__init__()
        self.where = nn.Sequential(nn.Conv2d(1, 8, 7), nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(968, 6))
        self.body = nn.Sequential(nn.Conv2d(1, 8, 5), nn.ReLU(), nn.MaxPool2d(6), nn.Flatten(), nn.Linear(128, 10))

    def forward(self, x):
        theta = self.where(x).view(-1, 2, 3) * 0.1 + torch.tensor([[1.0, 0, 0], [0, 1, 0]])
        return self.body(F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)).log_softmax(1)


class Ahead(nn.Module):
    """A ConvLSTM over frames."""

    def __init__(self, width=6):
        super().__init__()
        self.width, self.cell = width, nn.Conv2d(1 + width, 4 * width, 3, padding=1)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, frames):
        h = c = torch.zeros_like(frames[:, 0]).expand(-1, self.width, -1, -1)
        for t in range(frames.shape[1]):
            i, f, o, g = self.cell(torch.cat([frames[:, t], h], 1)).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return self.head(h)


class Volume(nn.Module):
    """A 3D U-Net's two levels."""

    def __init__(self):
        super().__init__()
        block = lambda a, b: nn.Sequential(nn.Conv3d(a, b, 3, padding=1), nn.InstanceNorm3d(b), nn.LeakyReLU())
        self.down, self.deep, self.last = block(1, 6), block(6, 12), block(12, 6)
        self.up, self.head = nn.ConvTranspose3d(12, 6, 2, 2), nn.Conv3d(6, 3, 1)

    def forward(self, x):
        a = self.down(x)
        y = self.up(self.deep(F.max_pool3d(a, 2)))
        return self.head(self.last(torch.cat([a, y], 1))).argmax(1)


class Deformed(nn.Module):
    """Convolutions whose taps the network moves."""

    def __init__(self):
        super().__init__()
        ops = importlib.import_module("torchvision.ops")
        self.move, self.conv = nn.Conv2d(3, 27, 3, padding=1), ops.DeformConv2d(3, 8, 3, padding=1)

    def forward(self, x):
        y = self.move(x)
        return self.conv(x, y[:, :18], y[:, 18:].sigmoid())


class Prepared(nn.Module):
    """A classifier with all before and after it: bytes of a picture in, the best five out."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.Hardswish(), nn.AdaptiveAvgPool2d((3, 3)), nn.Flatten(), nn.Linear(72, 20))

    def forward(self, picture):
        x = picture.permute(0, 3, 1, 2).float() / 255
        x = F.interpolate(x, size=(32, 32), mode="bilinear", antialias=True, align_corners=False)
        x = (x - torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)) / torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
        best = self.body(x).softmax(1).topk(5)
        return best.values, best.indices


class Experts(nn.Module):
    """A mixture of experts, as small code writes it: each expert for all, weighted by a gate of two."""

    def __init__(self, width=16):
        super().__init__()
        self.gate, self.experts = nn.Linear(width, 4), nn.ModuleList(
            nn.Sequential(nn.Linear(width, 24), nn.GELU(), nn.Linear(24, width)) for _ in range(4)
        )

    def forward(self, x):
        values, chosen = self.gate(x).topk(2)
        weights = torch.zeros(x.shape[0], 4).scatter(1, chosen, values.softmax(1))
        return sum(weights[:, i : i + 1] * expert(x) for i, expert in enumerate(self.experts))


class Graph(nn.Module):
    """Two layers of a graph network in plain PyTorch: messages gathered along edges and added up at their ends."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    @staticmethod
    def spread(x, edges):
        degree = torch.zeros(x.shape[0]).index_add(0, edges[1], torch.ones(edges.shape[1])) + 1
        scale = degree.rsqrt()
        messages = x[edges[0]] * (scale[edges[0]] * scale[edges[1]]).unsqueeze(1)
        return torch.zeros_like(x).index_add(0, edges[1], messages) + x / degree.unsqueeze(1)

    def forward(self, x, edges):
        return self.spread(self.second(F.relu(self.spread(self.first(x), edges))), edges).log_softmax(1)


class Variational(nn.Module):
    """A variational autoencoder that is given its noise."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU())
        self.mean, self.log, self.decode = (nn.Linear(32, 4), nn.Linear(32, 4), nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 784)))

    def forward(self, x, noise):
        y = self.encode(x)
        z = self.mean(y) + torch.exp(0.5 * self.log(y)) * noise
        return torch.sigmoid(self.decode(z)).view(-1, 1, 28, 28)


class Diffusion(nn.Module):
    """A denoiser of pictures: sines of a time, group normalisation, attention over pixels."""

    def __init__(self, width=16):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(width, 32), nn.SiLU(), nn.Linear(32, width))
        self.first, self.last = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)
        self.norms = nn.ModuleList(nn.GroupNorm(4, width) for _ in range(3))
        self.convs = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in range(2))
        self.attend = nn.MultiheadAttention(width, 2, batch_first=True)

    def forward(self, x, time):
        wave = time[:, None].float() * torch.exp(torch.arange(8) * -1.15)
        t = self.time(torch.cat([wave.sin(), wave.cos()], 1))[:, :, None, None]
        y = self.first(x)
        for norm, conv in zip(self.norms, self.convs):
            y = y + conv(F.silu(norm(y)) + t)
        rows, width, height, wide = y.shape
        z = self.norms[2](y).flatten(2).transpose(1, 2)
        z, _ = self.attend(z, z, z, need_weights=False)
        return self.last(y + z.transpose(1, 2).view(rows, width, height, wide))


def built(make, *feeds, axes=None):
    def network(folder, older=False):
        write(folder, random_statistics(make().eval()), feeds[0], feeds[1:], axes, older)

    return network


def relations(folder, kind):
    """A layer of torch_geometric between others, with nodes and edges that requests choose."""
    layers = importlib.import_module("torch_geometric.nn")
    one, two = (
        (getattr(layers, kind)(8, 16), getattr(layers, kind)(16, 4))
        if kind != "GINConv"
        else (layers.GINConv(nn.Linear(8, 16)), layers.GINConv(nn.Linear(16, 4)))
    )

    edges = lambda nodes, n: tokens(2, n, most=10**6) % nodes
    feeds = [(numbers(9, 8), edges(9, 20)), (numbers(12, 8), edges(12, 31))]
    write(folder, Layers(one, two).eval(), feeds[0], feeds[1:], [{0: "nodes"}, {1: "edges"}])


def handmade():
    """A function that writes a network, by the network's name."""
    images = lambda rows, channels, size: numbers(rows, channels, size, size)
    batches = lambda *shape: ((numbers(2, *shape),), (numbers(1, *shape),), (numbers(3, *shape),))
    p = functools.partial
    own = {
        "lenet5": built(LeNet5, *batches(1, 28, 28), axes=[BATCH]),
        "yolo8": built(Yolo8, *batches(3, 64, 64), axes=[BATCH]),
        "yolo8-open": built(Yolo8, (images(2, 3, 64),), (numbers(1, 3, 96, 64),), axes=[{0: "batch", 2: "height", 3: "width"}]),
        "yolo5": built(Yolo5, *batches(3, 64, 64), axes=[BATCH]),
        "crnn": built(Read, *batches(1, 32, 48), axes=[BATCH]),
        "style": built(Style, (images(1, 3, 32),), (numbers(2, 3, 48, 40),), axes=[{0: "batch", 2: "height", 3: "width"}]),
        "esrgan": built(Dense, (images(1, 3, 16),), (numbers(2, 3, 24, 20),), axes=[{0: "batch", 2: "height", 3: "width"}]),
        "wavenet": built(Wave, (numbers(2, 1, 40),), (numbers(1, 1, 64),), axes=[{0: "batch", 2: "samples"}]),
        "spotter": built(Spectrum, *batches(800), axes=[BATCH]),
        "dlrm": built(Recommend, (numbers(2, 6), tokens(2, 3, 4, most=20)), (numbers(5, 6), tokens(5, 3, 4, most=20)), axes=[BATCH, BATCH]),
        "deepfm": built(Machine, (tokens(2, 5),), (tokens(7, 5),), axes=[BATCH]),
        "tabnet": built(Tabular, *batches(10), axes=[BATCH]),
        "nbeats": built(Forecast, *batches(24), axes=[BATCH]),
        "pointnet": built(Points, (numbers(2, 3, 50),), (numbers(1, 3, 77),), axes=[{0: "batch", 2: "points"}]),
        "nerf": built(Rays, (numbers(4, 3), numbers(4, 3)), (numbers(9, 3), numbers(9, 3)), axes=[BATCH, BATCH]),
        "spatial": built(Turned, *batches(1, 28, 28), axes=[BATCH]),
        "convlstm": built(Ahead, *batches(4, 1, 12, 12), axes=[BATCH]),
        "volume": built(Volume, *batches(1, 8, 8, 8), axes=[BATCH]),
        "deformed": built(Deformed, *batches(3, 12, 12), axes=[BATCH]),
        "prepared": built(Prepared, ((numbers(2, 40, 50, 3) * 50 + 120).byte(),), ((numbers(1, 40, 50, 3) * 50 + 120).byte(),), axes=[BATCH]),
        "experts": built(Experts, *batches(16), axes=[BATCH]),
        "graph": built(Graph, (numbers(9, 8), tokens(2, 20, most=9)), (numbers(12, 8), tokens(2, 31, most=12)), axes=[{0: "nodes"}, {1: "edges"}]),
        "vae": built(Variational, (numbers(2, 1, 28, 28), numbers(2, 4)), (numbers(1, 1, 28, 28), numbers(1, 4)), axes=[BATCH, BATCH]),
        "diffusion": built(Diffusion, (numbers(2, 3, 16, 16), tokens(2)), (numbers(1, 3, 16, 16), tokens(1)), axes=[BATCH, BATCH]),
    }
    found = {f"hand-{name}": make for name, make in own.items()}
    older = ("yolo8", "yolo8-open", "yolo5", "crnn", "style", "esrgan", "spatial", "graph", "tabnet", "nerf", "dlrm", "pointnet")
    for kind in ("GCNConv", "SAGEConv", "GINConv", "TransformerConv"):
        found[f"geometric-{kind.lower()}"] = functools.partial(relations, kind=kind)
    return found | {f"hand-script-{name}": p(own[name], older=True) for name in older}


if __name__ == "__main__":
    main(handmade, __doc__)
