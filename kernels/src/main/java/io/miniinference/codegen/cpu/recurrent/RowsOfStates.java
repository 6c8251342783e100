package io.miniinference.codegen.cpu.recurrent;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.ElementLoop;
import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kernel of a recurrent layer of `f32` with constant weights: a work item takes a few rows of
/// the batch through all steps, so that each weight that comes from the cache is multiplied with
/// the states of all of them.
public final class RowsOfStates {
  private static final Template HEAD =
      Template.of(
          "recurrent layer, head",
          """
          A work item takes $rows rows of the batch through all steps, rows behind the last $rows one by one. In a step it
          goes over the states 16 elements at a time:

                      16 elements of each gate
                    +--------+--------+--
           row + 0  |  c0_0  |  c0_1  | ...  += state[k] (one float of the row, broadcast) * one packed vector
           row + 1  |  c1_0  |  c1_1  | ...     of weights, for each k
           ...      |  ...   |  ...   |
                    +--------+--------+--

          Then it makes the next states of them, in vectors. w: [block][k][gate][lane], packed at load, so that a step
          reads its weights from front to back. States are in scratch, which a core's first cache holds.
          """);

  private static final Template KERNEL =
      Template.of(
          "recurrent layer",
          """
          const long rows = $rows;
          long row = ((long)@globalId + first) * $tile;
          if (row >= rows) return;
          $whole
          $rest
          """);

  private static final Template WHOLE =
      Template.of(
          "recurrent layer, rows together",
          """
          if (row + $tile <= rows) {
            $body
            return;
          }
          """);

  private static final Template REST =
      Template.of(
          "recurrent layer, rows one by one",
          """
          for (const long end = min(rows, row + $tile); row < end; row++) {
            $body
          }
          """);

  private RowsOfStates() {}

  /// Whether a layer is of this kind, however its arrays lie.
  ///
  /// @param weights the recurrent weights, if they are known at load
  public static boolean fits(Node node, @Nullable Object weights) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    return weights != null
        && node.inputs().getFirst().type().element() == ElementType.F32
        && LayerText.hidden(node.inputs()) > 0
        && op.cell().functions().stream().allMatch(VectorText::supports);
  }

  private static StateTile tile(Node node) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    Affine rows = node.inputs().getFirst().type().dim(1);
    return StateTile.of(op.cell().kind(), rows, LayerText.hidden(node.inputs()));
  }

  /// What it is called.
  public static String algorithm(Node node) {
    StateTile tile = tile(node);
    return "recurrent layer, %d rows x 16 elements of %d gates at a time"
        .formatted(tile.rows(), tile.phases().getFirst().gates().size());
  }

  /// The choice of a layer that [#fits].
  ///
  /// @param inputs how its operands lie
  public static <S extends Strategy> KernelChoice<S> choice(
      Node node, List<IndexFunction> inputs, S strategy) {
    StateTile tile = tile(node);
    List<@Nullable Layout> layouts =
        new ArrayList<@Nullable Layout>(Collections.<@Nullable Layout>nCopies(inputs.size(), null));
    for (int i = 0; i < inputs.size(); i++) {
      if (needsRuns(node, i) && !isRun(inputs.get(i))) {
        layouts.set(i, Layout.ROW_MAJOR);
      }
    }
    List<@Nullable Packing> packings =
        new ArrayList<@Nullable Packing>(
            Collections.<@Nullable Packing>nCopies(inputs.size(), null));
    packings.set(Op.Recurrent.WEIGHTS, tile.panels());
    long floats = tile.pitch() * ElementLoop.arrays(tile.kind());
    Affine rows = node.inputs().getFirst().type().dim(1);
    var scratch = new KernelChoice.Scratch("states", rows.times(floats * Float.BYTES));
    return new KernelChoice<>(
        strategy, layouts, packings, Layout.ROW_MAJOR, false, List.of(scratch));
  }

  /* Operands that are read sixteen at a time. */
  private static boolean needsRuns(Node node, int input) {
    Op.Recurrent op = (Op.Recurrent) node.op();
    return input == 0
        || input == op.place(Op.Recurrent.Given.BIAS)
        || input == op.place(Op.Recurrent.Given.PEEPHOLES);
  }

  private static boolean isRun(IndexFunction index) {
    Axis last = index.axes().getLast();
    return !last.isBlocked() && (last.stride().equals(Affine.ONE) || last.extent().isSingle());
  }

  /// Whether the kernel can be written now that some arrays lie elsewhere.
  public static boolean canWrite(LoweredStep step) {
    boolean reads = true;
    for (int i = 0; i < step.inputs().size(); i++) {
      reads &= !needsRuns(step.node(), i) || isRun(step.inputs().get(i).index());
    }
    return reads && step.outputs().stream().allMatch(y -> isRun(y.index()));
  }

  /// The kernel of a step.
  public static KernelText.Written write(LoweredStep step) {
    StateTile tile = tile(step.node());
    LayerText layer = new LayerText(step, 1);
    layer.text().entries("states", "float", step.scratch().getFirst().id());
    layer
        .text()
        .head(HEAD.with("rows", tile.rows()).text())
        .add(
            KERNEL
                .with("rows", IndexText.affine(layer.rows()))
                .with("tile", tile.rows())
                .with("whole", tile.rows() > 1 ? whole(layer, tile) : "")
                .with(
                    "rest",
                    REST.with("tile", tile.rows())
                        .with("body", new LaneLoop(layer, tile, 1).text())
                        .text()));
    return new KernelText.Written(layer.text(), work(step, tile));
  }

  private static String whole(LayerText layer, StateTile tile) {
    return WHOLE
        .with("tile", tile.rows())
        .with("body", new LaneLoop(layer, tile, tile.rows()).text())
        .text();
  }

  private static Launch.Items work(LoweredStep step, StateTile tile) {
    long cost = operations(step.node()) * tile.rows() / 32;
    int grain = (int) Math.max(1, 40_000 / (cost + 1));
    return new Launch.Items(RowLoop.rows(step), tile.rows(), 1, grain);
  }

  /* Of a row, about. */
  private static long operations(Node node) {
    List<Affine> shape = node.inputs().getFirst().type().shape();
    return shape.getFirst().typical()
        * shape.getLast().constant()
        * (2 * LayerText.hidden(node.inputs()) + 16);
  }
}
