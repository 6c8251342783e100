package io.miniinference.plan;

import java.util.List;

/// What the planner plans: steps over arrays in memory blocks. Everything that depends on the batch
/// is sound for each batch size from 0 up.
///
/// @param name the model
/// @param body parameters are the request's inputs (ours to overwrite after their last use),
///   results its outputs
/// @param blocks all blocks, by id
/// @param naiveSizes bytes of each input and node result before fusion, each in a block of its own
///   (FIXTURES: `naive_bytes`), as the pairs of a value's name and size
public record Program(String name, Body body, List<Block> blocks, List<NamedSize> naiveSizes) {
  public Program {
    blocks = List.copyOf(blocks);
    naiveSizes = List.copyOf(naiveSizes);
  }

  /// A value of the unfused graph and its logical bytes.
  public record NamedSize(String name, io.miniinference.layout.Affine bytes) {}
}
