/// A graph in the making, and the tensor algebra that rules are written in ([Emitter]). What the
/// file computes from shapes is followed while it is written ([Facts], [Folding],
/// [SizeInterpreter]), so that a rule can ask for sizes and axes whether the file states them or
/// computes them.
@NullMarked
package io.miniinference.ops.draft;

import org.jspecify.annotations.NullMarked;
