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
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// A recurrent layer of any floats and of weights that are computed. A work-group takes a row of
/// the batch through all steps, its states in local memory, a few of their elements for each work
/// item, and waits behind each phase of a step. Where states are too large for local memory, a
/// single work item does it, in scratch.
///
/// @param items of a work-group
record RecurrentRows(int items) implements GpuStrategy.Several {
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

  private static final String HEAD =
      """
      A work-group takes a row of the batch through all steps: work items take turns at the elements of the states,
      which are in local memory.
      """;

  /// Whether a row's states are few enough for local memory.
  static boolean fits(Node node) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    int bytes = Math.max(Float.BYTES, node.inputs().getFirst().type().element().bytes());
    long hidden = LayerText.hidden(node.inputs());
    return hidden > 0 && ElementLoop.arrays(op.cell().kind()) * hidden * bytes <= MOST_BYTES;
  }

  static RecurrentRows of(Node node) {
    int items = FEWEST_ITEMS;
    while (items < LayerText.hidden(node.inputs()) && items < MOST_ITEMS) {
      items *= 2;
    }
    return new RecurrentRows(fits(node) ? items : 1);
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
    return layer
        .text()
        .head(HEAD)
        .add(
            KERNEL
                .with("type", layer.type().computed())
                .with("each", ElementLoop.arrays(layer.op().cell().kind()) * layer.hidden())
                .with("steps", new ElementLoop(layer, items).text().text()));
  }
}
