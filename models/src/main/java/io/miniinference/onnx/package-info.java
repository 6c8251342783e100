/// The stage "read": ONNX files to checked messages, tensors, and graphs without function calls.
///
/// [OnnxReader] reads a file, [FunctionInliner] expands the file's own functions, [TensorReader]
/// and [ValueFile] read constants and test data. What is wrong with a model is gathered in
/// [Problems] and thrown as one [ModelException].
@NullMarked
package io.miniinference.onnx;

import org.jspecify.annotations.NullMarked;
