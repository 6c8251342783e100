package io.miniinference.codegen.cpu;

import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.packing.CpuPacking;
import io.miniinference.ir.Node;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Packing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the inputs of a node must lie for a kernel that computes it in vectors: those of its
/// epilogue like the result, or padded to whole vectors.
final class FastForm {
  private final Layout output;
  private final List<@Nullable Layout> layouts;
  private final List<@Nullable Packing> packings;

  /// @param output the layout of the result
  /// @param lanes that a constant with a value per channel or column is padded to multiples of
  FastForm(Node node, VectorEpilogue epilogue, Layout output, int lanes) {
    this.output = output;
    this.layouts = nothing(node);
    this.packings = nothing(node);
    for (int i = 0; i < epilogue.reads().size(); i++) {
      switch (epilogue.reads().get(i)) {
        case LANES -> packings.set(node.operands() + i, new CpuPacking.PaddedVector(lanes));
        case SAME -> layouts.set(node.operands() + i, output);
        case ROW -> layouts.set(node.operands() + i, Layout.ROW_MAJOR);
        case SINGLE -> {}
      }
    }
  }

  private static <T> List<@Nullable T> nothing(Node node) {
    return new ArrayList<@Nullable T>(Collections.<@Nullable T>nCopies(node.inputs().size(), null));
  }

  /// The layout of the left operand, which else is read as it lies.
  FastForm left(Layout layout) {
    layouts.set(0, layout);
    return this;
  }

  /// The packing of the right operand, a constant.
  FastForm right(Packing packing) {
    packings.set(1, packing);
    return this;
  }

  KernelChoice<CpuStrategy> choice(CpuStrategy strategy) {
    return new KernelChoice<>(strategy, layouts, packings, output, false, List.of());
  }
}
