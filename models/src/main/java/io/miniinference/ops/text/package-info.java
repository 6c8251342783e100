/// Operators of ONNX whose inputs or results are strings, which they look up by their codes.
@NullMarked
package io.miniinference.ops.text;

import org.jspecify.annotations.NullMarked;
