package io.miniinference.plan;

import java.util.ArrayList;
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
/// @param kernels where else the steps could read and write
public record Program(
    String name,
    Body body,
    List<Block> blocks,
    List<NamedSize> naiveSizes,
    TargetConstraints kernels) {
  public Program {
    blocks = List.copyOf(blocks);
    naiveSizes = List.copyOf(naiveSizes);
  }

  /// A program whose steps read and write through any index function.
  public Program(String name, Body body, List<Block> blocks, List<NamedSize> naiveSizes) {
    this(name, body, blocks, naiveSizes, TargetConstraints.ANY);
  }

  /// The same program with another body.
  public Program with(Body changed) {
    return new Program(name, changed, blocks, naiveSizes, kernels);
  }

  /// The same program with another body and further blocks.
  public Program with(Body changed, List<Block> further) {
    List<Block> all = new ArrayList<>(blocks);
    all.addAll(further);
    return new Program(name, changed, all, naiveSizes, kernels);
  }

  /// A value of the unfused graph and its logical bytes.
  public record NamedSize(String name, io.miniinference.layout.Affine bytes) {}
}
