package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;

/// The kernel of a recurrent layer in which a work item has a row of the batch, whatever the types,
/// layouts and sizes: its states are in scratch.
public final class RowLoop {
  private static final Template KERNEL =
      Template.of(
          "row of a recurrent layer",
          """
          const long row = $row;
          if (row >= $rows) return;
          @global $type* s = states + row * $each;
          $steps
          """);

  private RowLoop() {}

  /// What it is called.
  public static String algorithm() {
    return "a row of the batch, element by element";
  }

  /// The scratch that it needs.
  public static KernelChoice.Scratch scratch(Node node) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    long each = ElementLoop.arrays(op.cell().kind()) * LayerText.hidden(node.inputs());
    Affine rows = node.inputs().getFirst().type().dim(1);
    int bytes = Math.max(Float.BYTES, node.inputs().getFirst().type().element().bytes());
    return new KernelChoice.Scratch("states", rows.times(each * bytes));
  }

  /// The kernel's text.
  ///
  /// @param row of the work item
  public static KernelText text(LoweredStep step, String row) {
    LayerText layer = new LayerText(step, 1);
    String type = layer.type().computed();
    layer.text().entries("states", type, step.scratch().getFirst().id());
    return layer
        .text()
        .head("A work item takes a row of the batch through all steps, its states in scratch.")
        .add(
            KERNEL
                .with("row", row)
                .with("rows", IndexText.affine(layer.rows()))
                .with("type", type)
                .with("each", ElementLoop.arrays(layer.op().cell().kind()) * layer.hidden())
                .with("steps", new ElementLoop(layer, 1).text().text()));
  }

  /// Rows of the batch.
  public static Affine rows(LoweredStep step) {
    return step.node().inputs().getFirst().type().dim(1);
  }
}
