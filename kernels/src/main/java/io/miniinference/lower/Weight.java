package io.miniinference.lower;

import io.miniinference.ir.Tensor;
import io.miniinference.plan.Block;

/// A constant as it is held in the pool.
///
/// @param block its place, in [Block.Space#WEIGHTS]
public record Weight(Block block, Tensor tensor, Packing packing) {}
