/// A model's own functions, expanded: ONNX graphs with calls become graphs without.
///
/// [FunctionInliner] is the way in.
@NullMarked
package io.miniinference.onnx.inline;

import org.jspecify.annotations.NullMarked;
