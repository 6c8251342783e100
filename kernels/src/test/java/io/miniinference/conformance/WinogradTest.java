package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.cost.StepCost;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import io.miniinference.lower.Targets;
import io.miniinference.lower.steps.Lowering;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Convolutions in Winograd's form: which are, how exact they are, and that they can be left out.
final class WinogradTest {
  private static final long SEED = 20261122;
  private static final int CHANNELS = 64;
  private static final int SIZE = 14;

  private static Graph network(int channels, int size, int stride) {
    int out = (size - 1) / stride + 1;
    Sheet s = new Sheet("one convolution", SEED).batches(1L);
    var x = s.input(Sheet.batch(channels, size, size));
    var w = s.constant(channels, channels, 3, 3);
    var y = s.at("c").conv(WindowCases.window(2, 3, stride, 1, 1, 1), 1, x, w);
    assertThat(y.type().dim(2).asConstant()).isEqualTo(out);
    s.check("it", y);
    return s.graph();
  }

  private static StepCost convolution(Graph graph, Target<?> target) {
    return StepCost.of(Lowering.lower(graph, target, List.of()), 1).stream()
        .filter(step -> step.algorithm().name().matches("(Winograd|direct convolution).*"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aWideConvolutionOfNeighboursIsInWinogradsFormUnlessDirectOnesAreAskedFor() {
    Graph graph = network(CHANNELS, SIZE, 1);
    assertThat(convolution(graph, new CpuTarget()).algorithm().name()).startsWith("Winograd F(4x4");
    Target<?> direct = Targets.named("cpu", Precision.DIRECT);
    assertThat(convolution(graph, direct).algorithm().name()).startsWith("direct convolution");
    assertThat(convolution(graph, direct).algorithm().why()).contains("not allowed");
  }

  @Test
  void manyChannelsOfFewPixelsHaveSmallerTilesWithFewerFactors() {
    assertThat(convolution(network(256, 14, 1), new CpuTarget()).algorithm().name())
        .startsWith("Winograd F(2x2");
  }

  @Test
  void whatIsNotWorthItStaysDirectAndSaysWhy() {
    assertThat(convolution(network(16, 14, 1), new CpuTarget()).algorithm().why())
        .contains("% of its time");
    assertThat(convolution(network(2048, 14, 1), new CpuTarget()).algorithm().why())
        .contains("more than a core's cache holds");
    assertThat(convolution(network(CHANNELS, 28, 2), new CpuTarget()).algorithm().why()).isEmpty();
  }

  @Tag("opencl")
  @Test
  void aResultIsWithinAHundredThousandthOfItsMagnitudes() {
    Graph graph = network(CHANNELS, SIZE, 1);
    Tensor x = Data.NORMAL.fill(new Random(SEED), ElementType.F32, 1, CHANNELS, SIZE, SIZE);
    TensorView got = TensorView.of(run(graph, x));
    Tensor weights = graph.constants().values().iterator().next();
    double worst = 0;
    for (int m = 0; m < CHANNELS; m++) {
      for (int y = 0; y < SIZE; y++) {
        for (int column = 0; column < SIZE; column++) {
          Sum sum = Sum.of(x, weights, m, y, column);
          double is = got.realAt(((long) m * SIZE + y) * SIZE + column);
          worst = Math.max(worst, Math.abs(is - sum.value) / sum.magnitude);
        }
      }
    }
    assertThat(worst).isPositive().isLessThan(1e-5);
  }

  /// A pixel of the result, added up in double precision, and its terms without their signs.
  private record Sum(double value, double magnitude) {
    static Sum of(Tensor x, Tensor w, int m, int y, int column) {
      TensorView in = TensorView.of(x);
      TensorView filters = TensorView.of(w);
      double value = 0;
      double magnitude = 0;
      for (int c = 0; c < CHANNELS; c++) {
        for (int k = 0; k < 9; k++) {
          int iy = y + k / 3 - 1;
          int ix = column + k % 3 - 1;
          if (iy >= 0 && iy < SIZE && ix >= 0 && ix < SIZE) {
            double term =
                in.realAt(((long) c * SIZE + iy) * SIZE + ix)
                    * filters.realAt(((long) m * CHANNELS + c) * 9 + k);
            value += term;
            magnitude += Math.abs(term);
          }
        }
      }
      return new Sum(value, magnitude);
    }
  }

  @Tag("opencl")
  @Test
  void aRowHasTheSameBitsInAnyBatch() {
    Graph graph = network(CHANNELS, SIZE, 1);
    Tensor three = Data.NORMAL.fill(new Random(SEED), ElementType.F32, 3, CHANNELS, SIZE, SIZE);
    Tensor last = Interpreter.allocate(ElementType.F32, new long[] {1, CHANNELS, SIZE, SIZE});
    long row = last.data().byteSize();
    last.data().copyFrom(three.data().asSlice(2 * row, row));
    Tensor together = run(graph, three);
    assertThat(together.data().asSlice(2 * row, row).mismatch(run(graph, last).data()))
        .isEqualTo(-1);
  }

  private static Tensor run(Graph graph, Tensor x) {
    try (Rig rig = Writer.CPU.open()) {
      return rig.run(graph, List.of(List.of(x))).getFirst().getFirst();
    }
  }
}
