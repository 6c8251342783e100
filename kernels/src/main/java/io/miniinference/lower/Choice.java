package io.miniinference.lower;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a code generator will compute a node, and what it needs for that.
///
/// @param strategy the generator's own note of its decision, handed back with the step
/// @param inputs per input of the node (operands, then epilogue) the layout it must be in, null
///   where any index function will do
/// @param packings per input the packing of a constant, null for the plain weight
/// @param output the layout of the result
/// @param epilogueInPlace whether each work item reads epilogue inputs only at the indices that it
///   writes, and each once, before it writes them, so that the result may be placed over one
/// @param scratchBytes memory the kernel needs while it runs, 0 for none
public record Choice(
    Object strategy,
    List<@Nullable Layout> inputs,
    List<@Nullable Packing> packings,
    Layout output,
    boolean epilogueInPlace,
    io.miniinference.layout.Affine scratchBytes) {
  public Choice {
    inputs = java.util.Collections.unmodifiableList(new java.util.ArrayList<>(inputs));
    packings = java.util.Collections.unmodifiableList(new java.util.ArrayList<>(packings));
  }
}
