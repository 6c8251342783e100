package io.miniinference.ops.recurrent;

import io.miniinference.ir.Value;

/// What a loop walks over.
///
/// @param inputs the product of all inputs with their weights, `[batch, steps, gates · hidden]`
/// @param iteration number of the iteration
/// @param backwards whether the last step comes first
record Sequence(Value inputs, Value iteration, boolean backwards) {}
