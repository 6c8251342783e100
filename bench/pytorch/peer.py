"""PyTorch on a GPU as a peer of the benchmark.

Answers each line of JSON on standard input with one line on standard output, `{"error": ...}` where it cannot:

- `hello`: who answers
- `prepare`: builds a model from its ONNX file, runs it once on a feed and writes the outputs down to be compared
- `slice`: runs what was prepared for a while, and answers with the time of each run in microseconds

A run starts with the inputs and ends with the outputs in the host's memory. Products are of 32-bit floats, and of TF32
where the first argument is `TF32`. Where it is `F16` or `BF16`, inputs and outputs stay what they are, and all floats
between them are of 16 bits, images with their channels last.
"""

import functools
import json
import math
import sys
import time

import numpy
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper

TYPES = {"f32": numpy.float32, "i64": numpy.int64, "i32": numpy.int32, "bool": numpy.bool_}


# --- from ONNX to a torch.nn.Module ---


class Node:
    """A node of the ONNX graph: operator, attributes as Python values, names of inputs and outputs, shapes of inputs, whether they are floats."""

    def __init__(self, proto):
        self.op = proto.op_type
        self.inputs = list(proto.input)
        self.outputs = list(proto.output)
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in proto.attribute}
        self.shapes, self.floats = [], []

    def get(self, name, default=None):
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value


def kernel_of(node):
    """Extents of the window: an attribute, or for a convolution what its weights have."""
    return node.get("kernel_shape") or list(node.shapes[1][2:])


def spatial_pads(node, rank):
    """Padding before and after each spatial axis."""
    kernel, dilations = kernel_of(node), node.get("dilations", [1] * rank)
    if node.get("auto_pad", "NOTSET") in ("NOTSET", "VALID"):
        pads = node.get("pads", [0] * 2 * rank)
        return pads[:rank], pads[rank:]
    if any(stride != 1 for stride in node.get("strides", [1] * rank)):
        raise NotImplementedError(f"{node.op} with auto_pad and strides")
    total = [(k - 1) * d for k, d in zip(kernel, dilations)]
    small, large = [t // 2 for t in total], [t - t // 2 for t in total]
    return (small, large) if node.get("auto_pad") == "SAME_UPPER" else (large, small)


def symmetric(node, rank):
    before, after = spatial_pads(node, rank)
    if list(before) != list(after):
        raise NotImplementedError(f"{node.op} with padding {before} and {after}")
    return list(before)


def conv(node, x, w, b=None):
    rank = len(kernel_of(node))
    run = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    return run(x, w, b, strides, symmetric(node, rank), dilations, node.get("group", 1))


def conv_transpose(node, x, w, b=None):
    rank = len(kernel_of(node))
    run = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    output_padding = node.get("output_padding", [0] * rank)
    return run(x, w, b, strides, symmetric(node, rank), output_padding, node.get("group", 1), dilations)


def max_pool(node, x):
    rank = len(kernel_of(node))
    run = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    return run(x, node.get("kernel_shape"), strides, symmetric(node, rank), dilations, bool(node.get("ceil_mode", 0)))


def average_pool(node, x):
    rank = len(kernel_of(node))
    run = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}[rank]
    include = bool(node.get("count_include_pad", 0))
    strides = node.get("strides", [1] * rank)
    return run(x, node.get("kernel_shape"), strides, symmetric(node, rank), bool(node.get("ceil_mode", 0)), include)


def gemm(node, a, b, c=None):
    a, b = a.t() if node.get("transA", 0) else a, b.t() if node.get("transB", 0) else b
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    if alpha == 1 and (c is None or beta == 1 and len(node.shapes[2]) == 1):
        return F.linear(a, b.t(), c)
    product = a @ b * alpha
    return product if c is None else product + c * beta


def batch_norm(node, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, node.get("epsilon", 1e-5))


def reshape(node, x, shape):
    if 0 in shape and not node.get("allowzero", 0):
        shape = [node.shapes[0][i] if size == 0 else size for i, size in enumerate(shape)]
    return x.reshape(shape)


def reduce(run):
    def apply(node, x, axes=None):
        axes = node.get("axes") if axes is None else axes
        axes = range(len(node.shapes[0])) if axes is None else axes
        return run(x, tuple(axes), bool(node.get("keepdims", 1)))

    return apply


def flatten(node, x):
    axis = node.get("axis", 1)
    return x.reshape(math.prod(node.shapes[0][:axis]), math.prod(node.shapes[0][axis:]))


def from_start(indices, size):
    """Indices, of which negative ones count from the end."""
    return torch.where(indices < 0, indices + size, indices)


def gather(node, table, indices):
    axis, shape = node.get("axis", 0) % len(node.shapes[0]), node.shapes[0]
    if axis == 0 and len(shape) == 2 and len(node.shapes[1]) > 0 and node.floats[0]:
        return F.embedding(indices, table)
    rows = table.index_select(axis, from_start(indices, shape[axis]).reshape(-1))
    return rows.reshape(shape[:axis] + node.shapes[1] + shape[axis + 1 :])


def gather_elements(node, x, indices):
    axis = node.get("axis", 0)
    return torch.gather(x, axis, from_start(indices, node.shapes[0][axis]))


def places(node, indices):
    """The index tensors of a `GatherND` or `ScatterND`, one for each leading axis."""
    if node.get("batch_dims", 0) != 0 or node.get("reduction", "none") != "none":
        raise NotImplementedError(f"{node.op} with batch_dims or a reduction")
    columns = range(node.shapes[1][-1])
    return tuple(from_start(indices[..., i], node.shapes[0][i]) for i in columns)


def slice_of(node, x, starts=None, ends=None, axes=None, steps=None):
    """Bounds are inputs, or attributes in files of opsets below 10."""
    if starts is None:
        starts, ends, axes = node.get("starts"), node.get("ends"), node.get("axes")
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    for axis, start, end, step in zip(axes, starts, ends, steps):
        cut = range(node.shapes[0][axis])[start:end:step]
        if step > 0:
            x = x[(slice(None),) * (axis % len(node.shapes[0])) + (slice(cut.start, cut.stop, cut.step),)]
        else:
            x = x.index_select(axis, torch.tensor(list(cut), device=x.device))
    return x


def expand(node, x, shape):
    return x.expand(torch.broadcast_shapes(node.shapes[0], tuple(shape)))


def split(node, x, sizes=None):
    axis = node.get("axis", 0)
    if sizes is None:
        parts = len(node.outputs)
        sizes = -(-node.shapes[0][axis] // parts)
    return torch.split(x, sizes, axis)


def squeeze(node, x, axes=None):
    shape = node.shapes[0]
    gone = [i for i, size in enumerate(shape) if size == 1] if axes is None else [axis % len(shape) for axis in axes]
    return x.reshape([size for i, size in enumerate(shape) if i not in gone])


def unsqueeze(node, x, axes):
    rank = len(node.shapes[0]) + len(axes)
    sizes = iter(node.shapes[0])
    made = {axis % rank for axis in axes}
    return x.reshape([1 if i in made else next(sizes) for i in range(rank)])


def pad(node, x, pads, value=None, axes=None):
    if node.get("mode", "constant") != "constant" or axes is not None:
        raise NotImplementedError("Pad of another mode, or of some axes")
    rank = len(pads) // 2
    pairs = [size for axis in reversed(range(rank)) for size in (pads[axis], pads[axis + rank])]
    return F.pad(x, pairs, "constant", value or 0)


def resize(node, x, roi=None, scales=None, sizes=None):
    sizes = sizes or [int(size * scale) for size, scale in zip(node.shapes[0], scales)]
    coordinates = node.get("coordinate_transformation_mode", "half_pixel")
    if node.get("mode", "nearest") == "nearest":
        if coordinates != "asymmetric" or node.get("nearest_mode", "round_prefer_floor") != "floor":
            raise NotImplementedError(f"Resize nearest, {coordinates}")
        return F.interpolate(x, sizes[2:])
    if node.get("mode") != "linear" or len(sizes) != 4 or coordinates == "asymmetric":
        raise NotImplementedError(f"Resize {node.get('mode')}, {coordinates}")
    return F.interpolate(x, sizes[2:], mode="bilinear", align_corners=coordinates == "align_corners")


def layer_norm(node, x, scale, bias=None):
    axes = node.shapes[0][node.get("axis", -1) :]
    return F.layer_norm(x, axes, scale, bias, node.get("epsilon", 1e-5))


def each(run):
    """An operator of any number of operands, two at a time."""
    return lambda node, *xs: functools.reduce(run, xs)


def group_norm(node, x, scale, bias):
    return F.group_norm(x, node.get("num_groups"), scale, bias, node.get("epsilon", 1e-5))


def instance_norm(node, x, scale, bias):
    return F.instance_norm(x, weight=scale, bias=bias, eps=node.get("epsilon", 1e-5))


def global_max(node, x):
    return torch.amax(x, tuple(range(2, len(node.shapes[0]))), True)


def depth_to_space(node, x):
    n, c, h, w = node.shapes[0]
    b = node.get("blocksize")
    if node.get("mode", "DCR") == "CRD":
        return F.pixel_shuffle(x, b)
    return x.reshape(n, b, b, c // b**2, h, w).permute(0, 3, 4, 1, 5, 2).reshape(n, c // b**2, h * b, w * b)


def arg(run):
    def apply(node, x):
        if node.get("select_last_index", 0):
            raise NotImplementedError(f"{node.op} with select_last_index")
        return run(x, node.get("axis", 0), bool(node.get("keepdims", 1)))

    return apply


def shrink(node, x):
    bound, bias = node.get("lambd", 0.5), node.get("bias", 0.0)
    return torch.where(x < -bound, x + bias, torch.where(x > bound, x - bias, torch.zeros_like(x)))


def celu(node, x):
    return F.celu(x, node.get("alpha", 1.0))


def selu(node, x):
    alpha, gamma = node.get("alpha", 1.67326319217681884765625), node.get("gamma", 1.05070102214813232421875)
    return gamma * torch.where(x > 0, x, alpha * torch.expm1(x))


def unary(run):
    return lambda node, x: run(x)


def constant_of_shape(node, shape):
    value = node.get("value")
    filled = numpy.zeros(1, numpy.float32) if value is None else numpy_helper.to_array(value)
    return torch.from_numpy(numpy.full(shape, filled.reshape(-1)[0]))


def clip(node, x, low=None, high=None):
    """Bounds are inputs, or attributes in files of opsets below 11; either may be computed, and either may be missing."""
    low = node.get("min") if low is None else low
    high = node.get("max") if high is None else high
    for bound, closer, other in ((low, torch.maximum, "min"), (high, torch.minimum, "max")):
        if isinstance(bound, torch.fx.Proxy) or torch.is_tensor(bound):
            x = closer(x, bound)
        elif bound is not None:
            x = torch.clamp(x, **{other: bound})
    return x


def divide(node, a, b):
    return a / b if node.floats[0] else torch.div(a, b, rounding_mode="trunc")


OPERATORS = {
    "Abs": unary(torch.abs),
    "Acos": unary(torch.acos),
    "Acosh": unary(torch.acosh),
    "Add": lambda node, a, b: a + b,
    "And": lambda node, a, b: torch.logical_and(a, b),
    "ArgMax": arg(torch.argmax),
    "ArgMin": arg(torch.argmin),
    "Asin": unary(torch.asin),
    "Asinh": unary(torch.asinh),
    "Atan": unary(torch.atan),
    "Atanh": unary(torch.atanh),
    "AveragePool": average_pool,
    "BatchNormalization": batch_norm,
    "Cast": lambda node, x: x.to(CASTS[node.get("to")]),
    "Ceil": unary(torch.ceil),
    "Celu": celu,
    "Clip": clip,
    "Concat": lambda node, *xs: torch.cat(xs, node.get("axis")),
    "Constant": lambda node: torch.from_numpy(numpy_helper.to_array(node.get("value")).copy()),
    "ConstantOfShape": constant_of_shape,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Cos": unary(torch.cos),
    "Cosh": unary(torch.cosh),
    "CumSum": lambda node, x, axis: torch.cumsum(x, axis),
    "DepthToSpace": depth_to_space,
    "Div": divide,
    "Elu": lambda node, x: F.elu(x, node.get("alpha", 1.0)),
    "Equal": lambda node, a, b: a == b,
    "Erf": lambda node, x: torch.erf(x),
    "Exp": lambda node, x: torch.exp(x),
    "Expand": expand,
    "Flatten": flatten,
    "Floor": unary(torch.floor),
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": lambda node, x, indices: x[places(node, indices)],
    "Gelu": lambda node, x: F.gelu(x, approximate=node.get("approximate", "none")),
    "Gemm": gemm,
    "GlobalAveragePool": lambda node, x: torch.mean(x, tuple(range(2, len(node.shapes[0]))), True),
    "GlobalMaxPool": global_max,
    "Greater": lambda node, a, b: a > b,
    "GreaterOrEqual": lambda node, a, b: a >= b,
    "GroupNormalization": group_norm,
    "HardSigmoid": lambda node, x: torch.clamp(x * node.get("alpha", 0.2) + node.get("beta", 0.5), 0, 1),
    "HardSwish": lambda node, x: F.hardswish(x),
    "Identity": lambda node, x: x,
    "InstanceNormalization": instance_norm,
    "IsNaN": lambda node, x: torch.isnan(x),
    "LayerNormalization": layer_norm,
    "LeakyRelu": lambda node, x: F.leaky_relu(x, node.get("alpha", 0.01)),
    "Less": lambda node, a, b: a < b,
    "LessOrEqual": lambda node, a, b: a <= b,
    "Log": unary(torch.log),
    "LogSoftmax": lambda node, x: torch.log_softmax(x, node.get("axis", -1)),
    "MatMul": lambda node, a, b: a @ b,
    "Max": each(torch.maximum),
    "MaxPool": max_pool,
    "Mean": lambda node, *xs: functools.reduce(torch.add, xs) / len(xs),
    "Min": each(torch.minimum),
    "Mish": unary(F.mish),
    "Mod": lambda node, a, b: torch.fmod(a, b) if node.get("fmod", 0) else torch.remainder(a, b),
    "Mul": lambda node, a, b: a * b,
    "Neg": lambda node, x: -x,
    "Not": lambda node, x: torch.logical_not(x),
    "Or": lambda node, a, b: torch.logical_or(a, b),
    "PRelu": lambda node, x, slope: torch.where(x < 0, x * slope, x),
    "Pad": pad,
    "Pow": lambda node, a, b: torch.pow(a, b),
    "Range": lambda node, start, limit, delta: torch.arange(start.item(), limit.item(), delta.item(), dtype=start.dtype),
    "Reciprocal": unary(torch.reciprocal),
    "ReduceL1": reduce(lambda x, axes, keep: torch.sum(torch.abs(x), axes, keep)),
    "ReduceL2": reduce(lambda x, axes, keep: torch.sqrt(torch.sum(x * x, axes, keep))),
    "ReduceMax": reduce(torch.amax),
    "ReduceMean": reduce(torch.mean),
    "ReduceMin": reduce(torch.amin),
    "ReduceSum": reduce(torch.sum),
    "ReduceSumSquare": reduce(lambda x, axes, keep: torch.sum(x * x, axes, keep)),
    "Relu": lambda node, x: torch.relu(x),
    "Reshape": reshape,
    "Resize": resize,
    "Round": unary(torch.round),
    "ScatterND": lambda node, x, indices, updates: torch.index_put(x, places(node, indices), updates),
    "Selu": selu,
    "Shrink": shrink,
    "Sigmoid": lambda node, x: torch.sigmoid(x),
    "Sign": unary(torch.sign),
    "Sin": unary(torch.sin),
    "Sinh": unary(torch.sinh),
    "Slice": slice_of,
    "Softmax": lambda node, x: torch.softmax(x, node.get("axis", -1)),
    "Softplus": lambda node, x: torch.logaddexp(x, torch.zeros_like(x)),
    "Softsign": unary(F.softsign),
    "Split": split,
    "Sqrt": lambda node, x: torch.sqrt(x),
    "Squeeze": squeeze,
    "Sub": lambda node, a, b: a - b,
    "Sum": each(torch.add),
    "Tan": unary(torch.tan),
    "Tanh": lambda node, x: torch.tanh(x),
    "ThresholdedRelu": lambda node, x: F.threshold(x, node.get("alpha", 1.0), 0.0),
    "Tile": lambda node, x, repeats: x.repeat(repeats),
    "Transpose": lambda node, x: x.permute(node.get("perm", list(reversed(range(len(node.shapes[0])))))),
    "Unsqueeze": unsqueeze,
    "Where": lambda node, condition, a, b: torch.where(condition, a, b),
}

# numbers of types in ONNX files
CASTS = {
    1: torch.float32,
    2: torch.uint8,
    3: torch.int8,
    5: torch.int16,
    6: torch.int32,
    7: torch.int64,
    9: torch.bool,
    10: torch.float16,
    11: torch.float64,
    16: torch.bfloat16,
}

# inputs that are settings rather than data, by position: Python values when the model is built
SETTINGS = {
    "Clip": (1, 2),
    "ConstantOfShape": (0,),
    "CumSum": (1,),
    "Expand": (1,),
    "Pad": (1, 2, 3),
    "ReduceL1": (1,),
    "ReduceL2": (1,),
    "ReduceMax": (1,),
    "ReduceMean": (1,),
    "ReduceMin": (1,),
    "ReduceSum": (1,),
    "ReduceSumSquare": (1,),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "Unsqueeze": (1,),
}


class OnnxModule(torch.nn.Module):
    """The graph for inputs of one shape, interpreted node by node. Only ever traced: the trace has no interpretation left in it."""

    def __init__(self, model, inputs):
        super().__init__()
        self.nodes = [Node(node) for node in model.graph.node]
        self.constants = {i.name: numpy_helper.to_array(i).copy() for i in model.graph.initializer}
        self.input_names = [i.name for i in model.graph.input if i.name not in self.constants]
        self.output_names = [o.name for o in model.graph.output]
        self.learn(dict(zip(self.input_names, inputs)))
        self.move_biases()
        self.buffer_names = {}
        for name in self.read_as_data():
            self.buffer_names[name] = f"constant_{len(self.buffer_names)}"
            self.register_buffer(self.buffer_names[name], torch.from_numpy(numpy.ascontiguousarray(self.constants[name])))

    def learn(self, values):
        """Runs the graph once, which tells all shapes. What follows from constants and shapes is a constant from then on."""
        left = []
        for node in self.nodes:
            node.shapes = [self.shape(name, values) for name in node.inputs]
            node.floats = [self.is_float(name, values) for name in node.inputs]
            if node.op == "Shape":
                results = (torch.tensor(node.shapes[0][node.get("start", 0) : node.get("end")]),)
                known = True
            else:
                known = all(name in self.constants or not name for name in node.inputs)
                results = self.run(node, values, torch.from_numpy)
            if known:
                self.constants.update((name, y.numpy()) for name, y in zip(node.outputs, results))
            else:
                values.update(zip(node.outputs, results))
                left.append(node)
        self.nodes = left

    def is_float(self, name, values):
        if name in self.constants:
            return self.constants[name].dtype.kind == "f"
        return name in values and values[name].is_floating_point()

    def shape(self, name, values):
        if not name:
            return ()
        return tuple(self.constants[name].shape if name in self.constants else values[name].shape)

    def run(self, node, values, tensor):
        """The results of a node, of whose constants `tensor` makes tensors."""
        operands = [self.operand(node, position, values, tensor) for position in range(len(node.inputs))]
        results = OPERATORS[node.op](node, *operands)
        return results if isinstance(results, tuple) else (results,)

    def read_as_data(self):
        names = self.output_names + [
            name
            for node in self.nodes
            for position, name in enumerate(node.inputs)
            if position not in SETTINGS.get(node.op, ())
        ]
        return sorted(self.constants.keys() & set(names))

    def move_biases(self):
        """Makes `Add` of a constant the bias of the convolution or product before it, as a person would write it."""
        adds = {name: node for node in self.nodes if node.op == "Add" for name in node.inputs}
        for node in list(self.nodes):
            add = adds.get(node.outputs[0])
            if add is None or len(node.inputs) != 2 or self.uses(node.outputs[0]) != 1:
                continue
            weight = self.constants.get(node.inputs[1])
            bias = self.constants.get(next(name for name in add.inputs if name != node.outputs[0]))
            if weight is None or bias is None:
                continue
            if node.op == "Conv" and bias.shape in self.per_channel(weight.shape[0], weight.ndim - 2):
                node.inputs.append(self.constant(bias.reshape(-1)))
            elif node.op == "MatMul" and weight.ndim == 2 and bias.shape in ((weight.shape[1],), (1, weight.shape[1])):
                node.op, node.attributes = "Gemm", {"transB": 1}
                node.shapes = [node.shapes[0], weight.T.shape, (weight.shape[1],)]
                node.inputs[1:] = [self.constant(weight.T.copy()), self.constant(bias.reshape(-1))]
            else:
                continue
            node.outputs = add.outputs
            self.nodes.remove(add)

    @staticmethod
    def per_channel(channels, rank):
        """The shapes of one number per channel, without and with a batch axis."""
        return (channels,) + (1,) * rank, (1, channels) + (1,) * rank

    def constant(self, value):
        name = f"/made/{len(self.constants)}"
        self.constants[name] = value
        return name

    def uses(self, name):
        return sum(node.inputs.count(name) for node in self.nodes) + self.output_names.count(name)

    def operand(self, node, position, values, tensor):
        """An input: Python numbers if it is a setting, else what `tensor` makes of the constant; none if it is left out."""
        name = node.inputs[position]
        if not name:
            return None
        if name not in self.constants:
            return values[name]
        value = self.constants[name]
        return value.tolist() if position in SETTINGS.get(node.op, ()) else tensor(value)

    def forward(self, *inputs):
        values = {name: inputs[position] for position, name in enumerate(self.input_names)}
        for node in self.nodes:
            values.update(zip(node.outputs, self.run_traced(node, values)))
        return tuple(values[name] if name in values else self.buffer(name) for name in self.output_names)

    def run_traced(self, node, values):
        operands = []
        for position, name in enumerate(node.inputs):
            operands.append(self.operand(node, position, values, lambda _, name=name: self.buffer(name)))
        results = OPERATORS[node.op](node, *operands)
        if len(node.outputs) > 1:
            return [results[i] for i in range(len(node.outputs))]
        return [results[0] if isinstance(results, tuple) else results]

    def buffer(self, name):
        return getattr(self, self.buffer_names[name])


def build(path, inputs, element=None):
    """The model as straight-line Python over tensors, for inputs of these shapes.

    element: the type of 16 bits that its floats have, none where they have 32
    """
    model = onnx.load(path)
    missing = sorted({node.op_type for node in model.graph.node} - OPERATORS.keys() - {"Shape"})
    if missing:
        raise NotImplementedError(f"no counterpart of {', '.join(missing)}")
    module = OnnxModule(model, inputs)  # runs on the host, in 32 bits
    if element is None:
        return torch.fx.symbolic_trace(module).eval()
    wide, CASTS[onnx.TensorProto.FLOAT] = CASTS[onnx.TensorProto.FLOAT], element
    try:
        return Stored(torch.fx.symbolic_trace(module).eval(), element)
    finally:
        CASTS[onnx.TensorProto.FLOAT] = wide


class Stored(torch.nn.Module):
    """A model whose floats are of 16 bits between inputs and outputs of 32, images with their channels last."""

    def __init__(self, module, element):
        super().__init__()
        self.module, self.element = module.to(element).to(memory_format=torch.channels_last), element

    def narrow(self, x):
        layout = torch.channels_last if x.dim() == 4 else torch.preserve_format
        return x.to(self.element, memory_format=layout) if x.is_floating_point() else x

    def forward(self, *inputs):
        outputs = self.module(*[self.narrow(x) for x in inputs])
        return tuple(y.float().contiguous() if y.is_floating_point() else y for y in outputs)


# --- running ---


class Runs:
    """A model with a feed in both kinds of host memory. Each way of running is a function without arguments."""

    def __init__(self, module, inputs):
        self.module = module
        self.ordinary = inputs
        self.pinned = [x.pin_memory() for x in inputs]
        self.outputs = self.eager_from_ordinary()
        self.pinned_outputs = [y.clone().pin_memory() for y in self.outputs]
        self.ways = {("eager", "ordinary"): self.eager_from_ordinary, ("eager", "pinned"): self.eager_from_pinned}

    def eager_from_ordinary(self):
        return [y.cpu() for y in self.module(*[x.to("cuda") for x in self.ordinary])]

    def eager_from_pinned(self):
        outputs = self.module(*[x.to("cuda", non_blocking=True) for x in self.pinned])
        for host, y in zip(self.pinned_outputs, outputs):
            host.copy_(y, non_blocking=True)
        torch.cuda.synchronize()
        return self.pinned_outputs

    def graph_from_ordinary(self):
        """The model alone as a graph, between transfers from and to ordinary memory."""
        inputs = [x.to("cuda") for x in self.ordinary]
        graph, outputs = self.captured(lambda: self.module(*inputs))

        def run():
            for x, host in zip(inputs, self.ordinary):
                x.copy_(host)
            graph.replay()
            return [y.cpu() for y in outputs]

        return run

    def graph_from_pinned(self):
        """The model and the transfers from and to pinned memory as one graph."""
        inputs = [x.to("cuda") for x in self.ordinary]

        def whole():
            for x, host in zip(inputs, self.pinned):
                x.copy_(host, non_blocking=True)
            for host, y in zip(self.pinned_outputs, self.module(*inputs)):
                host.copy_(y, non_blocking=True)

        graph, _ = self.captured(whole)

        def run():
            graph.replay()
            torch.cuda.synchronize()
            return self.pinned_outputs

        return run

    @classmethod
    def captured(cls, run):
        """A graph of what `run` queues, and what it returned, which each replay fills anew."""
        cls.warm_up(run)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = run()
        return graph, result

    @staticmethod
    def warm_up(run):
        """Capture wants a few runs on a stream beside the default one first."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                run()
        torch.cuda.current_stream().wait_stream(stream)

    def check(self, element):
        """All ways compute the same, where numbers are of 16 bits within a hundredth of the largest."""
        for (mode, memory), run in self.ways.items():
            for host in self.pinned_outputs:
                host.zero_()
            for y, first in zip(run(), self.outputs):
                near = 1e-5 if element is None or first.numel() == 0 else 1e-2 * first.abs().max().item()
                torch.testing.assert_close(y, first, rtol=1e-3, atol=near, msg=f"{mode} from {memory} memory differs")


class Peer:
    """What answers.

    element: the type of 16 bits that floats have, none where they have 32
    """

    def __init__(self, element):
        self.element = element
        self.module = self.key = None
        self.runs = None

    def hello(self, _):
        torch.cuda.get_device_name()  # fails where there is none
        return {"torch": torch.__version__}

    def prepare(self, request):
        self.runs = None
        torch.cuda.empty_cache()
        inputs = [torch.from_numpy(numpy.fromfile(i["file"], TYPES[i["type"]]).reshape(i["shape"])) for i in request["inputs"]]
        key = request["model"], tuple(tuple(i["shape"]) for i in request["inputs"])
        if self.key != key:
            self.module = None
            torch.cuda.empty_cache()
            self.module, self.key = build(request["model"], inputs, self.element).to("cuda"), key
        self.runs = Runs(self.module, inputs)
        notes = []
        for memory, capture in (("ordinary", self.runs.graph_from_ordinary), ("pinned", self.runs.graph_from_pinned)):
            try:
                self.runs.ways["graph", memory] = capture()
            except Exception as error:  # eager can go on without it
                notes.append(f"no CUDA graph from {memory} memory: {type(error).__name__}: {error}")
        self.runs.check(self.element)
        for y, path in zip(self.runs.outputs, request["outputs"]):
            y.contiguous().numpy().tofile(path)
        ways = [{"mode": mode, "memory": memory} for mode, memory in self.runs.ways]
        return {"ways": ways, "notes": notes}

    def slice(self, request):
        run, slice = self.runs.ways[request["mode"], request["memory"]], request["slice"]
        settled = time.perf_counter_ns() + slice["settleMillis"] * 1_000_000
        run()
        while time.perf_counter_ns() < settled:
            run()
        micros = []
        start = before = time.perf_counter_ns()
        while len(micros) < slice["leastRuns"] or before - start < slice["lengthMillis"] * 1_000_000:
            run()
            after = time.perf_counter_ns()
            micros.append((after - before) / 1000)
            before = after
        return {"micros": micros}


def main():
    products = sys.argv[1] if len(sys.argv) > 1 else "F32"
    rounded = products == "TF32"
    torch.backends.cuda.matmul.allow_tf32 = rounded
    torch.backends.cudnn.allow_tf32 = rounded
    torch.backends.cudnn.benchmark = True
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    peer = Peer({"F16": torch.float16, "BF16": torch.bfloat16}.get(products))
    commands = {"hello": peer.hello, "prepare": peer.prepare, "slice": peer.slice}
    with torch.inference_mode():
        for line in sys.stdin:
            try:
                request = json.loads(line)
                answer = commands[request["do"]](request)
            except Exception as error:  # the other side decides what a failure means
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
