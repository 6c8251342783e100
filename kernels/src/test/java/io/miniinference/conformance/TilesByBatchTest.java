package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.patch.PatchTile;
import io.miniinference.codegen.gpu.strip.StripWidth;
import io.miniinference.codegen.gpu.tile.WinogradTile;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.RecurrentCell;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Products whose tile on a GPU follows from the batch, small for one request and large for many,
/// and steps of recurrent layers, of which a work-group has a row or several.
@Tag("opencl")
final class TilesByBatchTest {
  private static final long SEED = 20261123;
  private static final int ROWS = 130;
  private static final int DEPTH = 40;
  private static final int COLUMNS = 576;

  /// With 48 columns.
  private static final int TALL_ROWS = 7_100;

  /// Has large tiles, as `TileTest` holds.
  private static final int BATCH = 9;

  @Test
  void aRequestHasTheSameBitsAloneAndAmongOthers() {
    Sheet s = new Sheet("a product and a convolution", SEED).batches(1L);
    Value x = s.input(Sheet.batch(ROWS, DEPTH));
    s.check("product", s.at("p").matMul(x, s.constant(DEPTH, COLUMNS)));
    Value line = s.input(Sheet.batch(DEPTH, ROWS));
    s.check(
        "convolution",
        s.at("c")
            .conv(WindowCases.window(1, 1, 1, 1, 0, 0), 1, line, s.constant(COLUMNS, DEPTH, 1)));
    holdBits(s.graph(), List.of(List.of(ROWS, DEPTH), List.of(DEPTH, ROWS)));
  }

  @Test
  void aRequestHasTheSameBitsAloneAndAmongOthersInTallTiles() {
    Sheet s = new Sheet("a convolution to 48 channels", SEED).batches(1L);
    Value line = s.input(Sheet.batch(DEPTH, TALL_ROWS));
    s.check(
        "convolution",
        s.at("c").conv(WindowCases.window(1, 1, 1, 1, 0, 0), 1, line, s.constant(48, DEPTH, 1)));
    holdBits(s.graph(), List.of(List.of(DEPTH, TALL_ROWS)));
  }

  @Test
  void anImageHasTheSameBitsAloneAndAmongOthersInWinogradsForm() {
    Sheet s = new Sheet("a convolution in Winograd's form", SEED).batches(1L);
    Value x = s.at("x").reshape(s.input(Sheet.batch(64, 33 * 31)), Sheet.batch(64, 33, 31));
    Value y = s.at("c").conv(WindowCases.window(2, 3, 1, 1, 1, 1), 1, x, s.constant(64, 64, 3, 3));
    s.check("convolution", y);
    assertThat(WinogradTile.of(17 * 16, 64, true).getLast().from()).isBetween(2L, (long) BATCH);
    holdBits(s.graph(), List.of(List.of(64, 33 * 31)));
  }

  @Test
  void anImageHasTheSameBitsAloneAndAmongOthersInPatches() {
    Sheet s = new Sheet("a convolution by patches", SEED).batches(1L);
    Value x = s.at("x").reshape(s.input(Sheet.batch(12, 70 * 61)), Sheet.batch(12, 70, 61));
    Value y = s.at("c").conv(WindowCases.window(2, 5, 1, 1, 2, 2), 1, x, s.constant(12, 12, 5, 5));
    s.check(
        "convolution",
        s.at("p").pool(Op.PoolKind.MAX, WindowCases.window(2, 1, 1, 1, 0, 0), false, y));
    assertThat(s.graph().nodes())
        .filteredOn(node -> node.op() instanceof Op.Conv)
        .singleElement()
        .satisfies(node ->
            assertThat(PatchTile.of(node, node.output().type()).getLast().from())
                .isBetween(2L, (long) BATCH));
    holdBits(s.graph(), List.of(List.of(12, 70 * 61)));
  }

  @Test
  void anImageHasTheSameBitsAloneAndAmongOthersInStrips() {
    Sheet s = new Sheet("convolutions in strips", SEED).batches(1L);
    Value x = s.at("x").reshape(s.input(Sheet.batch(24, 29 * 57)), Sheet.batch(24, 29, 57));
    Value own =
        s.at("d").conv(WindowCases.window(2, 7, 1, 1, 3, 3), 24, x, s.constant(24, 1, 7, 7));
    Value image = s.at("i").reshape(s.input(Sheet.batch(3, 58 * 115)), Sheet.batch(3, 58, 115));
    Window three = WindowCases.window(2, 3, 1, 1, 1, 1);
    Value few = s.at("f").conv(three, 1, image, s.constant(32, 3, 3, 3));
    // channels are innermost in what a pool reads
    Window one = WindowCases.window(2, 1, 1, 1, 0, 0);
    s.check("depthwise", s.at("p").pool(Op.PoolKind.MAX, one, false, own));
    s.check("of three channels", s.at("q").pool(Op.PoolKind.MAX, one, false, few));
    assertThat(s.graph().nodes())
        .filteredOn(node -> node.op() instanceof Op.Conv)
        .hasSize(2)
        .allSatisfy(node ->
            assertThat(StripWidth.of(node).orElseThrow().from()).isBetween(2L, (long) BATCH));
    holdBits(s.graph(), List.of(List.of(24, 29 * 57), List.of(3, 58 * 115)));
  }

  @Test
  void aSequenceHasTheSameBitsAloneAndAmongOthers() {
    int hidden = 210;
    Sheet s = new Sheet("steps of an LSTM", SEED).batches(1L);
    Value x = s.at("x").transpose(s.input(Sheet.batch(3, 4 * hidden)), List.of(1, 0, 2));
    Expr tanh = Exprs.tanh(Exprs.arg(0));
    Op layer =
        new Op.Recurrent(
            new RecurrentCell(RecurrentCell.Kind.LSTM, List.of(tanh, tanh, tanh)),
            false,
            List.of(),
            List.of(Op.Recurrent.Part.STATES));
    Value states = s.at("r").all(layer, x, s.constant(4 * hidden, hidden)).getFirst();
    s.check("states", s.at("y").transpose(states, List.of(1, 0, 2)));
    holdBits(s.graph(), List.of(List.of(3, 4 * hidden)));
  }

  /// @param shapes of the inputs of a request
  private static void holdBits(Graph graph, List<List<Integer>> shapes) {
    Random random = new Random(SEED);
    List<Tensor> all =
        shapes.stream()
            .map(it -> Data.NORMAL.fill(random, ElementType.F32, BATCH, it.get(0), it.get(1)))
            .toList();
    try (Rig rig = Writer.GPU.open()) {
      List<Tensor> together = rig.run(graph, List.of(all)).getFirst();
      for (int request : new int[] {0, 4, BATCH - 1}) {
        List<Tensor> own = all.stream().map(it -> Data.row(it, request)).toList();
        List<Tensor> alone = rig.run(graph, List.of(own)).getFirst();
        for (int i = 0; i < alone.size(); i++) {
          assertThat(Data.row(together.get(i), request).data().mismatch(alone.get(i).data()))
              .as("request %d, result %d", request, i)
              .isEqualTo(-1);
        }
      }
    }
  }
}
