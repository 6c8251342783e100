"""Exports what chooses rows by a mask, or unique ones, so that only data tell how many there are, as networks.py exports networks:

    python3 bench/pytorch/masks.py DIR [PART-OF-A-NAME ...]
    ./mie verify DIR

Functions are written by both exporters, where they can: by today's, and by the older one under a name that begins with `script`.
Of each there is a data set of 20 rows, and one of more than the engine would compile for their values. Layers of graphs drop
loops from nodes to themselves and add one to each node; they need torch_geometric, and GATConv and SuperGATConv a PyTorch whose
exporter of today takes `if index.numel() == 0` of a size that data tell (2.13 does not). Needs PyTorch, onnxscript, onnx and
onnxruntime.
"""

import functools
import importlib

import torch
from networks import Function, main, numbers, tokens, write
from torch import nn
from torch.nn import functional as F

ROWS = {0: "rows"}
MOST = 5003


# --- functions of rows and of a score for each ---


def stored(x, scores):
    x = x.clone()
    x[scores > 0.5] = 0
    return x


def changed(x, scores):
    x = x.clone()
    x[scores > 0.5] = x[scores > 0.5] * 2
    return x


def parted(x, scores):
    y, mask = torch.empty_like(x), scores > 0.5
    y[mask] = x[mask] @ torch.eye(8)
    y[~mask] = x[~mask] * 2
    return y


def elements(x, scores):
    x = x.clone()
    x[x > 0.5] += 1
    return x


def counted(x, scores):
    chosen = x[scores > 0.5]
    return torch.cat([chosen + torch.arange(chosen.shape[0])[:, None], torch.zeros(chosen.shape[0], 2)], 1)


def normalised(x, scores):
    chosen = x[scores > 0.5]
    return (chosen - chosen.mean(0)) / (chosen.std(0) + 1e-5)


def best(x, scores):
    mask = scores > 0.5
    return x[mask][:, :4][torch.argsort(scores[mask], descending=True)]


FUNCTIONS = {
    "stored": stored,
    "changed": changed,
    "parted": parted,
    "elements": elements,
    "counted": counted,
    "normalised": normalised,
    "best": best,
    "scattered": lambda x, scores: x.masked_scatter(x > 0, torch.ones_like(x)),
    "places": lambda x, scores: x[torch.nonzero(scores > 0.5).squeeze(1)],
    "joined": lambda x, scores: torch.cat([x[scores > 0.5], x, x[scores < 0.2]]),
    "sums": lambda x, scores: (x[scores > 0.5].mean(0), (scores > 0.5).sum()),
    "product": lambda x, scores: x[scores > 0.5].T @ x[scores > 0.5],
    "softmax": lambda x, scores: torch.softmax(scores[scores > 0.5], 0),
    "sorted": lambda x, scores: scores[scores > 0.5].sort().values,
    "unique": lambda x, scores: torch.unique((x.sum(1) + scores).long()),
    "inverse": lambda x, scores: torch.unique(x[:, 0], return_inverse=True)[1],
    "twice": lambda x, scores: x[scores > 0.3][scores[scores > 0.3] > 0.7],
}


# --- layers of graphs ---

LAYERS = """GCNConv GATConv GATv2Conv SGConv:K=2 SSGConv:alpha=0.1,K=2 TAGConv:K=2 ChebConv:K=3 ARMAConv LEConv FeaStConv SuperGATConv
FiLMConv GraphConv EGConv:num_heads=4"""


class Layers(nn.Module):
    def __init__(self, one, two):
        super().__init__()
        self.one, self.two = one, two

    def forward(self, x, edges, given=None):
        weights = () if given is None else (given,)
        return self.two(F.relu(self.one(x, edges, *weights)), edges, *weights)


def edges(nodes, number):
    """Some of them loops."""
    ends = tokens(2, number, most=10**6) % nodes
    ends[1, ::7] = ends[0, ::7]
    return ends


def graph(folder, make, weighted=False):
    sizes = ((9, 20), (30, 81), (900, 4100))
    feeds = [(numbers(nodes, 8), edges(nodes, n)) + ((numbers(n).abs(),) if weighted else ()) for nodes, n in sizes]
    loops = (feeds[1][0], feeds[1][1][:1].repeat(2, 1), *feeds[1][2:])
    axes = [{0: "nodes"}, {1: "edges"}, {0: "edges"}]
    write(folder, make(importlib.import_module("torch_geometric.nn")).eval(), feeds[0], (*feeds[1:], loops), axes[: len(feeds[0])])


def two(name, options, module):
    layer = functools.partial(getattr(module, name), **eval(f"dict({options})"))
    return Layers(layer(8, 16), layer(16, 4))


def masks():
    """A function that writes a network or a function, by its name."""
    feeds = [(numbers(rows, 8), numbers(rows).abs() / 2) for rows in (20, MOST)]
    found = {}
    for name, function in FUNCTIONS.items():
        for older in (False, True):
            found[("script-" if older else "") + name] = functools.partial(
                write, network=Function(function), inputs=feeds[0], others=feeds[1:], open_axes=[ROWS, ROWS], older=older)
    for layer in LAYERS.split():
        name, _, options = layer.partition(":")
        found["graph-" + name.lower()] = functools.partial(graph, make=functools.partial(two, name, options))
    found["graph-weights"] = functools.partial(
        graph, make=lambda module: Layers(module.GCNConv(8, 16), module.GCNConv(16, 4)), weighted=True)
    found["graph-appnp"] = functools.partial(graph, make=lambda module: Layers(module.GCNConv(8, 16), module.APPNP(K=3, alpha=0.1)))
    return found


if __name__ == "__main__":
    main(masks, __doc__)
