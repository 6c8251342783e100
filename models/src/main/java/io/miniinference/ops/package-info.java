/// The second stage: ONNX messages to core IR.
///
/// [Importer] types the inputs ([InputTypes]), checks the nodes ([StaticCheck]) and applies the op
/// table ([OpTable], rows by family in `…Ops`) to one node after the other. A row's rule is written
/// in the tensor algebra of [Emitter]. What the file computes from shapes is followed while it is
/// written ([Draft], [Folding], [SizeInterpreter]), so that a rule can ask for sizes and axes
/// whether the file states them or computes them.
@NullMarked
package io.miniinference.ops;

import org.jspecify.annotations.NullMarked;
