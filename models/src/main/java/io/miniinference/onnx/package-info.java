/// The stage "read": ONNX files to checked messages and graphs.
///
/// [OnnxReader] reads a file; `onnx.inline` expands the file's own functions, `onnx.tensor` reads
/// constants and test data. What is wrong with a model is gathered in [Problems] and thrown as one
/// [ModelException].
@NullMarked
package io.miniinference.onnx;

import org.jspecify.annotations.NullMarked;
