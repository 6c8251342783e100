package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.recurrent.ElementLoop;
import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A recurrent layer on GPUs. A work-group takes a row of the batch through all steps, its states
/// in local memory, a few of their elements for each work item, and waits behind each phase of a
/// step. Where states are too large for local memory, a single work item does it, in scratch.
///
/// @param items of a work-group
/// @param isPacked whether weights are known at load, and turned so that neighbouring work items
///   read neighbours
record RecurrentRows(int items, boolean isPacked) implements GpuStrategy.Several {
  private static final int MOST_ITEMS = 256;
  private static final int FEWEST_ITEMS = 32;

  /// Of local memory, which every GPU has twice over with room for other work-groups.
  private static final long MOST_BYTES = 32 << 10;

  private static final Template KERNEL =
      Template.of(
          "row of a recurrent layer by a work-group",
          """
          const long row = (long)first + @groupId(0);
          @shared $type s[$each];
          $steps
          """);

  private static final Template HEAD =
      Template.of(
          "row of a recurrent layer by a work-group, head",
          """
          A work-group takes a row of the batch through all steps: a work item makes every ${items}th element of the
          states, which are in local memory. w: $weights
          """);

  /// @param isKnown whether the recurrent weights are constant
  static RecurrentRows of(Node node, boolean isKnown) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    long hidden = LayerText.hidden(node.inputs());
    int bytes = Math.max(Float.BYTES, node.inputs().getFirst().type().element().bytes());
    boolean fits = ElementLoop.arrays(op.cell().kind()) * hidden * bytes <= MOST_BYTES;
    int items = FEWEST_ITEMS;
    while (items < hidden && items < MOST_ITEMS) {
      items *= 2;
    }
    boolean isShared = fits && hidden > 0;
    boolean packs = isKnown && isShared && bytes == Float.BYTES;
    return new RecurrentRows(isShared ? items : 1, packs);
  }

  /// @param plain a choice for a node without a layout or packing of its own
  static KernelChoice<GpuStrategy> choice(Node node, KernelChoice<GpuStrategy> plain) {
    RecurrentRows rows = (RecurrentRows) plain.strategy();
    if (rows.items == 1) {
      return plain.withScratch(RowLoop.scratch(node));
    }
    if (!rows.isPacked) {
      return plain;
    }
    List<@Nullable Packing> packings = new ArrayList<>(plain.packings());
    packings.set(Op.Recurrent.WEIGHTS, new GpuPacking.Matrix(true));
    return new KernelChoice<>(
        rows, plain.inputs(), packings, plain.output(), plain.epilogueInPlace(), List.of());
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of(
        items == 1 ? RowLoop.algorithm() : "recurrent layer, a row by a work-group of " + items);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    KernelText text = items == 1 ? RowLoop.text(step, "(long)first + @groupId(0)") : text(step);
    var rows = new Launch.Extent(RowLoop.rows(step).times(items), items, items);
    return List.of(new KernelText.Written(text, new Launch.Groups(List.of(rows))));
  }

  private KernelText text(LoweredStep step) {
    LayerText layer = new LayerText(step, items);
    ElementLoop.Weight weight = isPacked ? packed(layer) : layer::weight;
    String order = isPacked ? "[k][gate][element], packed at load." : "as the graph has them.";
    return layer
        .text()
        .head(HEAD.with("items", items).with("weights", order).text())
        .add(
            KERNEL
                .with("type", layer.type().computed())
                .with("each", ElementLoop.arrays(layer.op().cell().kind()) * layer.hidden())
                .with("steps", new ElementLoop(layer, items, weight).text().text()));
  }

  private static ElementLoop.Weight packed(LayerText layer) {
    long pitch = GpuPacking.padded(layer.op().cell().kind().gates() * layer.hidden());
    return (row, k) -> layer.type().read("w", k + " * " + pitch + " + " + row);
  }
}
