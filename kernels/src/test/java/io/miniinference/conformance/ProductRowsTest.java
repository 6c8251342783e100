package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows of products with weights, whichever tile of registers they are in.
@Tag("opencl")
final class ProductRowsTest {
  private static final long SEED = 20261123;
  private static final int DEPTH = 93;
  private static final int COLUMNS = 70;
  private static final int BATCH = 5;

  private static Graph network(int rows) {
    Sheet s = new Sheet("one product", SEED).batches(1L);
    var x = s.input(Sheet.batch(rows, DEPTH));
    var w = s.constant(DEPTH, COLUMNS);
    s.check("it", s.at("p").matMul(x, w));
    return s.graph();
  }

  /// One tile of 8 and smaller ones; tiles of 7 and of 14 that none is behind; 14 and two smaller.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 14, 19})
  void aRowHasTheSameBitsInAnyBatch(int rows) {
    Graph graph = network(rows);
    Tensor all = Data.NORMAL.fill(new Random(SEED), ElementType.F32, BATCH, rows, DEPTH);
    Tensor together = run(graph, all);
    for (int image = 0; image < BATCH; image++) {
      Tensor one = run(graph, Data.row(all, image));
      assertThat(Data.row(together, image).data().mismatch(one.data()))
          .as("image %d", image)
          .isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 14, 19})
  void aResultIsWithinAHundredThousandthOfItsMagnitudes(int rows) {
    Graph graph = network(rows);
    Tensor x = Data.NORMAL.fill(new Random(SEED), ElementType.F32, BATCH, rows, DEPTH);
    TensorView in = TensorView.of(x);
    TensorView weights = TensorView.of(graph.constants().values().iterator().next());
    TensorView got = TensorView.of(run(graph, x));
    for (int row = 0; row < BATCH * rows; row++) {
      for (int column = 0; column < COLUMNS; column++) {
        double sum = 0;
        double magnitude = 0;
        for (int k = 0; k < DEPTH; k++) {
          double term =
              in.realAt((long) row * DEPTH + k) * weights.realAt((long) k * COLUMNS + column);
          sum += term;
          magnitude += Math.abs(term);
        }
        assertThat(Math.abs(got.realAt((long) row * COLUMNS + column) - sum) / magnitude)
            .as("row %d, column %d", row, column)
            .isLessThan(1e-5);
      }
    }
  }

  private static Tensor run(Graph graph, Tensor x) {
    try (Rig rig = Writer.CPU.open()) {
      return rig.run(graph, List.of(List.of(x))).getFirst().getFirst();
    }
  }
}
