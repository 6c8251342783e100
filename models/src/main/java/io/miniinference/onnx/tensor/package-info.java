/// Tensors of ONNX files: constants, external data, and files of one value.
///
/// [TensorReader] and [ValueFile] are the ways in.
@NullMarked
package io.miniinference.onnx.tensor;

import org.jspecify.annotations.NullMarked;
