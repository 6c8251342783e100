package io.miniinference.codegen.gpu;

import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Packing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which kernels take a recurrent layer through its steps: weights that a multiprocessor holds for
/// the most part are a work-group's own, and of larger ones a step is shared out to the whole
/// device, which costs a launch.
final class RecurrentLayers {
  /// Of weights that a work-group is given. A launch takes 5 to 8 µs on an H200, most of that in
  /// the driver, in which a multiprocessor reads about as many beside those that it holds.
  private static final long MOST_BYTES = 640 << 10;

  private RecurrentLayers() {}

  /// @param isKnown whether the recurrent weights are constant
  /// @param plain a choice for a node without a packing of its own
  static KernelChoice<GpuStrategy> choice(
      Node node, boolean isKnown, Function<GpuStrategy, KernelChoice<GpuStrategy>> plain) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    long hidden = LayerText.hidden(node.inputs());
    boolean isFloat = node.inputs().getFirst().type().element() == ElementType.F32;
    boolean isSmall = op.cell().kind().gates() * hidden * hidden * Float.BYTES <= MOST_BYTES;
    if (isFloat && isKnown && isSmall && HeldRows.canHold(hidden)) {
      HeldRows rows = HeldRows.of(op, hidden);
      return packed(plain.apply(rows), rows.packing());
    }
    boolean isOfRow = !isKnown && isSmall && RecurrentRows.fits(node);
    if (isFloat && hidden > 0 && !isOfRow) {
      return plain.apply(new RecurrentSteps()).withScratch(RowLoop.scratch(node));
    }
    RecurrentRows rows = RecurrentRows.of(node);
    KernelChoice<GpuStrategy> choice = plain.apply(rows);
    return rows.items() == 1 ? choice.withScratch(RowLoop.scratch(node)) : choice;
  }

  private static KernelChoice<GpuStrategy> packed(
      KernelChoice<GpuStrategy> plain, Packing weights) {
    List<@Nullable Packing> packings = new ArrayList<>(plain.packings());
    packings.set(Op.Recurrent.WEIGHTS, weights);
    return new KernelChoice<>(
        plain.strategy(),
        plain.inputs(),
        packings,
        plain.output(),
        plain.epilogueInPlace(),
        List.of());
  }
}
