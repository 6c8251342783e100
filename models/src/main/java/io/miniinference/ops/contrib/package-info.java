/// Operators of ONNX Runtime's own domain `com.microsoft`, which its quantiser and its optimiser
/// write ([contributed
/// operators](https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md)).
///
/// They are compositions of what the rules of the standard's operators emit.
@NullMarked
package io.miniinference.ops.contrib;

import org.jspecify.annotations.NullMarked;
