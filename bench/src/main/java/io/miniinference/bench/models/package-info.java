/// Whole models on the engine, without HTTP, beside its peers ONNX Runtime and PyTorch.
@NullMarked
package io.miniinference.bench.models;

import org.jspecify.annotations.NullMarked;
