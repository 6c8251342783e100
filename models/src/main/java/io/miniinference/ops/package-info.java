/// The second stage: ONNX messages to core IR.
///
/// [Importer] types the inputs ([InputTypes]), checks the nodes ([StaticCheck]) and applies the
/// table of operators ([Operators]) to one node after the other. Families of rules are in
/// `ops.math`, `ops.movement`, `ops.nn` and `ops.control`, those of ONNX Runtime's own operators in
/// `ops.contrib`; `ops.node` imports one node and its bodies, `ops.draft` is the graph in the
/// making.
@NullMarked
package io.miniinference.ops;

import org.jspecify.annotations.NullMarked;
