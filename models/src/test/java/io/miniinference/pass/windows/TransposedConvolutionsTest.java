package io.miniinference.pass.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.layout.Affine;
import io.miniinference.pass.FusionTarget;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Large transposed convolutions as plain ones. Elements are small whole numbers, so that sums are
/// exact in any order.
final class TransposedConvolutionsTest {
  private static final FusionTarget CONVOLVES =
      new FusionTarget() {
        @Override
        public boolean fuses(Node merged, Graph graph) {
          return true;
        }

        @Override
        public boolean convolvesTransposed() {
          return true;
        }
      };

  private static Tensor numbers(long... shape) {
    float[] values = new float[Math.toIntExact(Tensor.elements(shape))];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 2654435761L % 7 - 3;
    }
    return Tensor.of(values, shape);
  }

  /* Of a window that is the same along all axes. */
  private static Graph transposed(
      long[] image,
      long outputs,
      int groups,
      int kernel,
      int stride,
      int pad,
      int dilation,
      int more) {
    int axes = image.length - 1;
    List<Integer> pads = Collections.nCopies(axes, pad);
    Window window =
        new Window(
            Collections.nCopies(axes, kernel),
            Collections.nCopies(axes, stride),
            Collections.nCopies(axes, dilation),
            pads,
            pads);
    GraphBuilder builder = new GraphBuilder("transposed");
    List<Affine> shape =
        IntStream.range(0, axes + 2)
            .mapToObj(i -> i == 0 ? Affine.N : Affine.of(image[i - 1]))
            .toList();
    Value x = builder.input("x", new TensorType(ElementType.F32, shape));
    long[] of = new long[axes + 2];
    Arrays.fill(of, kernel);
    of[0] = image[0];
    of[1] = outputs / groups;
    Value w = builder.constant("w", numbers(of));
    Value y =
        builder
            .lowering("f", "Test")
            .convTranspose(window, groups, Collections.nCopies(axes, more), x, w);
    return builder.build(List.of(y));
  }

  private static boolean isConvolution(Graph graph) {
    return graph.nodes().stream().anyMatch(node -> node.op() instanceof Op.Conv)
        && graph.nodes().stream().noneMatch(node -> node.op() instanceof Op.ConvTranspose);
  }

  /// Kernel, stride, padding, dilation, and what is added at the far end.
  @ParameterizedTest
  @CsvSource({
    "2, 2, 0, 1, 0",
    "4, 2, 1, 1, 0",
    "3, 2, 1, 1, 1",
    "5, 2, 2, 1, 1",
    "6, 3, 2, 1, 1",
    "3, 3, 0, 1, 0",
    "8, 4, 2, 1, 0",
    "7, 2, 3, 1, 1",
    "2, 3, 0, 1, 1"
  })
  void elementsAreThoseOfTheTransposedConvolution(
      int kernel, int stride, int pad, int dilation, int more) {
    for (long[] image : new long[][] {{3, 7, 9}, {4, 31}}) {
      Graph before = transposed(image, 5, 1, kernel, stride, pad, dilation, more);
      Graph after = convolved(before);
      assertThat(isConvolution(after)).isTrue();
      assertSame(before, after, image);
    }
  }

  @Test
  void threeAxesAndWindowsWithGapsAreConvolvedToo() {
    long[] cube = {3, 5, 6, 7};
    long[] line = {4, 31};
    for (Graph before :
        List.of(transposed(cube, 5, 1, 2, 2, 0, 1, 0), transposed(line, 5, 1, 3, 2, 2, 2, 1))) {
      Graph after = convolved(before);
      assertThat(isConvolution(after)).isTrue();
      boolean isLine = before.inputs().getFirst().type().rank() == 3;
      assertSame(before, after, isLine ? line : cube);
    }
  }

  private static Graph convolved(Graph graph) {
    return GraphCheck.check(new TransposedConvolutions(CONVOLVES, 1).apply(graph));
  }

  private static void assertSame(Graph before, Graph after, long[] image) {
    long[] shape = new long[image.length + 1];
    shape[0] = 2;
    System.arraycopy(image, 0, shape, 1, image.length);
    List<Tensor> input = List.of(numbers(shape));
    Tensor expected = Interpreter.run(before, input).getFirst();
    Tensor got = Interpreter.run(after, input).getFirst();
    assertThat(got.shape()).isEqualTo(expected.shape());
    assertThat(got.floats()).isEqualTo(expected.floats());
  }

  @Test
  void largeOnesAreConvolved() {
    Graph graph = transposed(new long[] {64, 17, 19}, 40, 1, 4, 2, 1, 1, 0);
    assertThat(isConvolution(new TransposedConvolutions(CONVOLVES).apply(graph))).isTrue();
  }

  /// Small ones, ones with groups, those without a stride, and ones that zeros make too large.
  @Test
  void othersStay() {
    for (Graph graph :
        List.of(
            transposed(new long[] {8, 7, 7}, 8, 1, 2, 2, 0, 1, 0),
            transposed(new long[] {64, 17, 19}, 64, 64, 4, 2, 1, 1, 0),
            transposed(new long[] {64, 17, 19}, 40, 1, 3, 1, 1, 1, 0),
            transposed(new long[] {64, 17, 19}, 40, 1, 2, 5, 0, 1, 3))) {
      assertThat(isConvolution(new TransposedConvolutions(CONVOLVES).apply(graph))).isFalse();
    }
  }

  @Test
  void noneIsConvolvedWhereTheTargetDoesNotAsk() {
    Graph graph = transposed(new long[] {64, 17, 19}, 40, 1, 4, 2, 1, 1, 0);
    assertThat(new TransposedConvolutions((_, _) -> true).apply(graph)).isSameAs(graph);
  }
}
