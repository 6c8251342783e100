/// One ONNX node and its bodies: rows of operators ([OpTable], [OpRow]), what a rule sees
/// ([OpContext]), and what is wrong with a node ([Faults]).
@NullMarked
package io.miniinference.ops.node;

import org.jspecify.annotations.NullMarked;
