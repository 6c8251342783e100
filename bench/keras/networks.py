"""Exports networks from Keras 3 as a user would, with what ONNX Runtime answers, for `./mie verify` to run:

    python3 bench/keras/networks.py DIR [NAME ...]
    ./mie verify DIR

Weights are random, so that nothing is downloaded. Needs Keras, PyTorch, which is its backend here, onnx, onnxscript and
onnxruntime. Networks whose exporter of Keras fails are written by PyTorch's newer one.
"""

import contextlib
import io
import os
import pathlib
import shutil
import sys
import warnings

os.environ.update(KERAS_BACKEND="torch", CUDA_VISIBLE_DEVICES="")

import keras
import numpy
import onnxruntime
import torch
from keras import layers
from onnx import numpy_helper

# --- networks by name ---


def digits():
    return keras.Sequential([
        layers.Input((28, 28, 1)),
        layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Flatten(), layers.Dropout(0.5), layers.Dense(10, activation="softmax")])


def autoencoder():
    small = dict(strides=2, padding="same", activation="relu")
    return keras.Sequential([
        layers.Input((28, 28, 1)),
        layers.Conv2D(16, 3, **small), layers.Conv2D(8, 3, **small),
        layers.Conv2DTranspose(8, 3, **small), layers.Conv2DTranspose(16, 3, **small),
        layers.Conv2D(1, 3, padding="same", activation="sigmoid")])


def segmenter():
    image = layers.Input((64, 64, 3))
    wide = layers.Conv2D(16, 3, padding="same", activation="relu")(image)
    deep = layers.SeparableConv2D(32, 3, padding="same")(layers.MaxPooling2D()(wide))
    deep = layers.Activation("swish")(layers.BatchNormalization()(deep))
    back = layers.Conv2DTranspose(16, 3, strides=2, padding="same")(deep)
    large = layers.UpSampling2D(2, interpolation="bilinear")(layers.Concatenate()([wide, back]))
    return keras.Model(image, layers.Conv2D(1, 1, activation="sigmoid")(large))


def signal():
    return keras.Sequential([
        layers.Input((100, 6)),
        layers.Conv1D(16, 5, padding="causal", dilation_rate=2, activation="relu"), layers.MaxPooling1D(2),
        layers.Conv1D(32, 3), layers.GlobalMaxPooling1D(), layers.Dense(4)])


def texts():
    return keras.Sequential([
        layers.Input((40,), dtype="int32"),
        layers.Embedding(500, 32), layers.Bidirectional(layers.LSTM(24)), layers.Dense(1, activation="sigmoid")])


def series():
    return keras.Sequential([
        layers.Input((40, 8)), layers.GRU(24, return_sequences=True), layers.GRU(12), layers.Dense(3)])


def attention():
    rows = layers.Input((32, 48))
    mixed = layers.LayerNormalization()(rows + layers.MultiHeadAttention(4, 12)(rows, rows))
    return keras.Model(rows, layers.Dense(5)(layers.GlobalAveragePooling1D()(layers.Dense(48, activation="gelu")(mixed))))


def application(name, size=224):
    return lambda: getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3))


NETWORKS = {network.__name__: network for network in (digits, autoencoder, segmenter, signal, texts, series, attention)}
NETWORKS |= {name: application(name) for name in (
    "ConvNeXtTiny", "DenseNet121", "EfficientNetB0", "EfficientNetV2B0", "MobileNet", "MobileNetV2", "MobileNetV3Small",
    "ResNet50", "ResNet50V2", "VGG16")}
NETWORKS |= {name: application(name, 299) for name in ("InceptionV3", "Xception")}

# Keras calls PyTorch's older exporter, which takes sizes in these for numbers
BY_PYTORCH = ("attention", "ConvNeXtTiny", "Xception")

# --- export ---


class Rows(torch.nn.Module):
    """A network whose one argument has a name, as an open batch wants it."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, rows):
        return self.network(rows)


def numbers(shape, dtype):
    random = numpy.random.default_rng(3)
    return random.integers(0, 400, shape).astype(dtype) if "int" in dtype else random.random(shape, dtype=numpy.float32)


def export(name, network, rows, file):
    network(rows)  # Keras wants each to have been called
    if name in BY_PYTORCH:
        torch.onnx.export(
            Rows(network.eval()), (torch.tensor(rows),), file, dynamo=True, input_names=["rows"], output_names=["answer"],
            dynamic_shapes=({0: torch.export.Dim("batch")},))
    else:
        network.export(file, format="onnx", verbose=False)


def write(name, folder):
    keras.utils.set_random_seed(7)
    network = NETWORKS[name]()
    given = network.inputs[0]
    rows = numbers((2, *given.shape[1:]), str(given.dtype))
    data = folder / "test_data_set_0"
    shutil.rmtree(folder, ignore_errors=True)
    data.mkdir(parents=True)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
        export(name, network, rows, str(folder / "model.onnx"))
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    inputs = {session.get_inputs()[0].name: rows}
    outputs = {output.name: value for output, value in zip(session.get_outputs(), session.run(None, inputs))}
    for kind, values in (("input", inputs), ("output", outputs)):
        for k, (value_name, value) in enumerate(values.items()):
            (data / f"{kind}_{k}.pb").write_bytes(numpy_helper.from_array(value, value_name).SerializeToString())


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[2:] or NETWORKS:
        write(name, pathlib.Path(sys.argv[1]) / name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
