"""PyTorch on a GPU as a peer of the benchmark.

Answers each line of JSON on standard input with one line on standard output, `{"error": ...}` where it cannot:

- `hello`: who answers
- `prepare`: builds a model from its ONNX file, runs it once on a feed and writes the outputs down to be compared
- `slice`: runs what was prepared for a while, and answers with the time of each run in microseconds

A run starts with the inputs and ends with the outputs in the host's memory. All is 32-bit floats, without TF32.
"""

import json
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
    """A node of the ONNX graph: operator, attributes as Python values, names of inputs and outputs."""

    def __init__(self, proto):
        self.op = proto.op_type
        self.inputs = list(proto.input)
        self.outputs = list(proto.output)
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in proto.attribute}

    def get(self, name, default=None):
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value


def spatial_pads(node, rank):
    """Padding before and after each spatial axis."""
    kernel, dilations = node.get("kernel_shape"), node.get("dilations", [1] * rank)
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
    rank = len(node.get("kernel_shape"))
    run = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    return run(x, w, b, strides, symmetric(node, rank), dilations, node.get("group", 1))


def conv_transpose(node, x, w, b=None):
    rank = len(node.get("kernel_shape"))
    run = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    output_padding = node.get("output_padding", [0] * rank)
    return run(x, w, b, strides, symmetric(node, rank), output_padding, node.get("group", 1), dilations)


def max_pool(node, x):
    rank = len(node.get("kernel_shape"))
    run = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}[rank]
    strides, dilations = node.get("strides", [1] * rank), node.get("dilations", [1] * rank)
    return run(x, node.get("kernel_shape"), strides, symmetric(node, rank), dilations, bool(node.get("ceil_mode", 0)))


def gemm(node, a, b, c=None):
    a = a.t() if node.get("transA", 0) else a
    if c is None or node.get("alpha", 1.0) != 1 or node.get("beta", 1.0) != 1:
        raise NotImplementedError("Gemm without a plain bias")
    return F.linear(a, b if node.get("transB", 0) else b.t(), c)


def batch_norm(node, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, node.get("epsilon", 1e-5))


def reshape(node, x, shape):
    if 0 in shape and not node.get("allowzero", 0):
        shape = [x.shape[i] if size == 0 else size for i, size in enumerate(shape)]
    return x.reshape(shape)


def reduce(run):
    def apply(node, x, axes=None):
        axes = node.get("axes") if axes is None else axes
        return run(x, tuple(axes), bool(node.get("keepdims", 1)))

    return apply


def gather(node, table, indices):
    if node.get("axis", 0) != 0:
        raise NotImplementedError("Gather along an axis other than the first")
    return F.embedding(indices, table)


OPERATORS = {
    "Add": lambda node, a, b: a + b,
    "BatchNormalization": batch_norm,
    "Concat": lambda node, *xs: torch.cat(xs, node.get("axis")),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Flatten": lambda node, x: torch.flatten(x, node.get("axis", 1)),
    "Gather": gather,
    "Gemm": gemm,
    "Identity": lambda node, x: x,
    "MatMul": lambda node, a, b: a @ b,
    "MaxPool": max_pool,
    "Mul": lambda node, a, b: a * b,
    "ReduceMax": reduce(torch.amax),
    "ReduceMean": reduce(torch.mean),
    "Relu": lambda node, x: torch.relu(x),
    "Reshape": reshape,
    "Sigmoid": lambda node, x: torch.sigmoid(x),
    "Softmax": lambda node, x: torch.softmax(x, node.get("axis", -1)),
    "Transpose": lambda node, x: x.permute(node.get("perm")),
}

# inputs that are settings rather than data, by position: Python values when the model is built
SETTINGS = {"Reshape": (1,), "ReduceMax": (1,), "ReduceMean": (1,)}


class OnnxModule(torch.nn.Module):
    """The graph, interpreted node by node. Only ever traced: the trace has no interpretation left in it."""

    def __init__(self, model):
        super().__init__()
        self.nodes = [Node(node) for node in model.graph.node]
        self.constants = {i.name: numpy_helper.to_array(i).copy() for i in model.graph.initializer}
        self.input_names = [i.name for i in model.graph.input if i.name not in self.constants]
        self.output_names = [o.name for o in model.graph.output]
        self.fold_constants()
        self.move_biases()
        self.buffer_names = {}
        for name in self.constants:
            self.buffer_names[name] = f"constant_{len(self.buffer_names)}"
            self.register_buffer(self.buffer_names[name], torch.from_numpy(self.constants[name]))

    def fold_constants(self):
        """Computes nodes whose inputs are all constant."""
        left = []
        for node in self.nodes:
            if all(name in self.constants for name in node.inputs):
                value = OPERATORS[node.op](node, *(self.operand(node, i, torch.from_numpy) for i in range(len(node.inputs))))
                self.constants[node.outputs[0]] = value.numpy()
            else:
                left.append(node)
        self.nodes = left

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
            if node.op == "Conv" and bias.shape in self.per_channel(weight.shape[0], len(node.get("kernel_shape"))):
                node.inputs.append(self.constant(bias.reshape(-1)))
            elif node.op == "MatMul" and weight.ndim == 2 and bias.shape in ((weight.shape[1],), (1, weight.shape[1])):
                node.op, node.attributes = "Gemm", {"transB": 1}
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

    def operand(self, node, position, tensor):
        """An input: Python numbers if it is a setting, else what `tensor` makes of the constant."""
        value = self.constants[node.inputs[position]]
        return value.tolist() if position in SETTINGS.get(node.op, ()) else tensor(value)

    def forward(self, *inputs):
        values = {name: inputs[position] for position, name in enumerate(self.input_names)}
        for node in self.nodes:
            operands = []
            for position, name in enumerate(node.inputs):
                if name in self.constants:
                    operands.append(self.operand(node, position, lambda _: getattr(self, self.buffer_names[name])))
                else:
                    operands.append(values[name] if name else None)
            values[node.outputs[0]] = OPERATORS[node.op](node, *operands)
        return tuple(values[name] for name in self.output_names)


def build(path):
    """The model as straight-line Python over tensors."""
    model = onnx.load(path)
    missing = sorted({node.op_type for node in model.graph.node} - OPERATORS.keys())
    if missing:
        raise NotImplementedError(f"no counterpart of {', '.join(missing)}")
    return torch.fx.symbolic_trace(OnnxModule(model)).eval()


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

    def check(self):
        """All ways compute the same."""
        for (mode, memory), run in self.ways.items():
            for host in self.pinned_outputs:
                host.zero_()
            for y, first in zip(run(), self.outputs):
                torch.testing.assert_close(y, first, rtol=1e-3, atol=1e-5, msg=f"{mode} from {memory} memory differs")


class Peer:
    def __init__(self):
        self.modules = {}
        self.runs = None

    def hello(self, _):
        return {"torch": torch.__version__, "cuda": torch.version.cuda, "device": torch.cuda.get_device_name()}

    def prepare(self, request):
        self.runs = None
        torch.cuda.empty_cache()
        path = request["model"]
        if path not in self.modules:
            self.modules[path] = build(path).to("cuda")
        inputs = [torch.from_numpy(numpy.fromfile(i["file"], TYPES[i["type"]]).reshape(i["shape"])) for i in request["inputs"]]
        self.runs = Runs(self.modules[path], inputs)
        notes = []
        for memory, capture in (("ordinary", self.runs.graph_from_ordinary), ("pinned", self.runs.graph_from_pinned)):
            try:
                self.runs.ways["graph", memory] = capture()
            except Exception as error:  # eager can go on without it
                notes.append(f"no CUDA graph from {memory} memory: {type(error).__name__}: {error}")
        self.runs.check()
        for y, path in zip(self.runs.outputs, request["outputs"]):
            y.contiguous().numpy().tofile(path)
        ways = [{"mode": mode, "memory": memory} for mode, memory in self.runs.ways]
        return {"ways": ways, "notes": notes, "outputs": [list(y.shape) for y in self.runs.outputs]}

    def slice(self, request):
        run = self.runs.ways[request["mode"], request["memory"]]
        settled = time.perf_counter_ns() + request["settle_micros"] * 1000
        run()
        while time.perf_counter_ns() < settled:
            run()
        micros = []
        start = before = time.perf_counter_ns()
        while len(micros) < request["least_runs"] or before - start < request["micros"] * 1000:
            run()
            after = time.perf_counter_ns()
            micros.append((after - before) / 1000)
            before = after
        return {"micros": micros}


def main():
    rounded = sys.argv[1:] == ["TF32"]
    torch.backends.cuda.matmul.allow_tf32 = rounded
    torch.backends.cudnn.allow_tf32 = rounded
    torch.backends.cudnn.benchmark = True
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    peer = Peer()
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
