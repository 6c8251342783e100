package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Products whose tile on a GPU follows from the batch: small for one request, large for many.
@Tag("opencl")
final class TilesByBatchTest {
  private static final long SEED = 20261123;
  private static final int ROWS = 130;
  private static final int DEPTH = 40;
  private static final int COLUMNS = 576;

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
    Graph graph = s.graph();
    Random random = new Random(SEED);
    List<Tensor> all =
        List.of(
            Data.NORMAL.fill(random, ElementType.F32, BATCH, ROWS, DEPTH),
            Data.NORMAL.fill(random, ElementType.F32, BATCH, DEPTH, ROWS));
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
