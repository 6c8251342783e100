"""Exports a small decoder whose past grows by each token: six layers of 512, random weights, 110 MB. What the new shape of a token costs:

    python3 bench/pytorch/decoder.py DIR
    ./mie bench open --models DIR --sizes sequence=1..1 --sizes past=1..600 --plan-ahead 0

Needs what `networks.py` needs.
"""

import pathlib
import sys

import torch
from networks import write
from torch import nn
from torch.nn import functional

LAYERS, WIDTH, HEADS, WORDS, INNER = 6, 512, 8, 8000, 1408
HEAD = WIDTH // HEADS


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def product(inputs, outputs):
    return nn.Linear(inputs, outputs, bias=False)


def turned(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = Norm(), Norm()
        self.q, self.k, self.v, self.o = (product(WIDTH, WIDTH) for _ in range(4))
        self.gate, self.up, self.down = product(WIDTH, INNER), product(WIDTH, INNER), product(INNER, WIDTH)

    def forward(self, x, cos, sin, keys, values, mask):
        rows, length, _ = x.shape
        h = self.before(x)
        q, k, v = (p(h).view(rows, length, HEADS, HEAD).transpose(1, 2) for p in (self.q, self.k, self.v))
        keys = torch.cat((keys, turned(k, cos, sin)), 2)
        values = torch.cat((values, v), 2)
        y = functional.scaled_dot_product_attention(turned(q, cos, sin), keys, values, attn_mask=mask)
        x = x + self.o(y.transpose(1, 2).reshape(rows, length, WIDTH))
        h = self.between(x)
        return x + self.down(functional.silu(self.gate(h)) * self.up(h)), keys, values


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last, self.head = Norm(), product(WIDTH, WORDS)
        self.register_buffer("speeds", 1 / 10000 ** (torch.arange(0, HEAD, 2) / HEAD))

    def forward(self, ids, *past):
        before, length = past[0].shape[2], ids.shape[1]
        places = torch.arange(before, before + length)
        angles = places[:, None] * self.speeds[None]
        angles = torch.cat((angles, angles), -1)
        mask = torch.arange(before + length)[None, :] <= places[:, None]
        x, present = self.words(ids), []
        for i, layer in enumerate(self.layers):
            x, *made = layer(x, angles.cos(), angles.sin(), past[2 * i], past[2 * i + 1], mask)
            present += made
        return self.head(self.last(x[:, -1:])), *present


if __name__ == "__main__":
    torch.manual_seed(1)
    past = [torch.randn(1, HEADS, 5, HEAD) for _ in range(2 * LAYERS)]
    write(
        pathlib.Path(sys.argv[1]) / "decoder", Decoder(), (torch.randint(0, WORDS, (1, 3)), *past),
        open_axes=[{1: "sequence"}, *({2: "past"} for _ in past)], older=True)
