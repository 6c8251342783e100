package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Quantised weights are multiplied as integers, and what is multiplied is scaled after.
final class ScalesBehindProductsTest {
  private static final String PRODUCT =
      """
      graph "g" {
        input %x: f32[3,8]
        const %q: u8[QSHAPE] = [QS]
        const %z: u8[] = [100]
        const %s: f32[SSHAPE] = [SS]
        %w: f32[QSHAPE] = elementwise(%q, %s, %z) { (f32(a0) - f32(a2)) * a1 }
        %y: f32[3,4] = matmul(%x, %w)TURN
        output %y
      }
      """;

  private static final String CONVOLUTION =
      """
      graph "g" {
        input %x: f32[2,2,5,5]
        const %q: i8[4,2,2,2] = [QS]
        const %s: f32[SSHAPE] = [SS]
        %w: f32[4,2,2,2] = elementwise(%q, %s) { f32(a0) * a1 }
        %y: f32[2,4,4,4] = conv(%x, %w) {kernel=[2,2]}
        output %y
      }
      """;

  private static String numbers(String shape, double step) {
    long count =
        shape.isEmpty()
            ? 1
            : List.of(shape.split(",")).stream()
                .mapToLong(Long::parseLong)
                .reduce(1, (a, b) -> a * b);
    return IntStream.range(0, (int) count)
        .mapToObj(i -> step == 1 ? Integer.toString(i * 7 % 100) : Double.toString((i + 1) * step))
        .collect(Collectors.joining(", "));
  }

  private static Graph graph(String text, String weights, String scale, String turn) {
    return GraphCheck.check(
        GraphText.parse(
            text.replace("QSHAPE", weights)
                .replace("[QS]", "[" + numbers(weights, 1) + "]")
                .replace("SSHAPE", scale)
                .replace("[SS]", "[" + numbers(scale, 0.013) + "]")
                .replace("TURN", turn)));
  }

  /* Whether the product reads integers after the passes, and gives what it gave. */
  private static boolean readsIntegers(Graph before) {
    Graph scaled = GraphCheck.check(new ScalesBehindProducts().apply(before));
    Graph after = new FoldConstants(Passes::evaluate, Long.MAX_VALUE).apply(scaled);
    Random random = new Random(5);
    Tensor x =
        Interpreter.allocate(
            before.inputs().getFirst().type().element(),
            before.inputs().getFirst().type().shapeAt(1));
    float[] values = new float[(int) x.elements()];
    IntStream.range(0, values.length).forEach(i -> values[i] = (float) random.nextGaussian());
    Tensor input = Tensor.of(values, x.shape()).copy();
    float[] expected = Interpreter.run(before, List.of(input)).getFirst().floats();
    float[] actual = Interpreter.run(after, List.of(input)).getFirst().floats();
    for (int i = 0; i < expected.length; i++) {
      assertThat(actual[i]).isCloseTo(expected[i], org.assertj.core.data.Offset.offset(1e-4f));
    }
    Node product =
        after.nodes().stream()
            .filter(n -> n.op() instanceof Op.Contraction)
            .findFirst()
            .orElseThrow();
    float[] weights =
        Objects.requireNonNull(after.constants().get(product.inputs().get(1))).floats();
    return IntStream.range(0, weights.length).allMatch(i -> weights[i] == (int) weights[i]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "8,4; ''; ''",
        "8,4; 4; ''",
        "8,4; 1,4; ''",
        "4,8; ''; ' {transposeB=true}'",
        "4,8; 4,1; ' {transposeB=true}'"
      })
  void aScaleOfColumnsIsTakenBehindAProduct(String weights, String scale, String turn) {
    assertThat(readsIntegers(graph(PRODUCT, weights, scale, turn))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"8,4; 8,1; ''", "8,4; 8,4; ''", "4,8; 8; ' {transposeB=true}'"})
  void aScaleOfTheDepthStaysWhereItIs(String weights, String scale, String turn) {
    assertThat(readsIntegers(graph(PRODUCT, weights, scale, turn))).isFalse();
  }

  @Test
  void turnedWeightsAreIntegersToo() {
    String turned =
        PRODUCT
            .replace("matmul(%x, %w)", "matmul(%x, %t)")
            .replace("  %y:", "  %t: f32[8,4] = transpose(%w) {permutation=[1,0]}\n  %y:");
    assertThat(readsIntegers(graph(turned, "4,8", "4,1", ""))).isTrue();
    assertThat(readsIntegers(graph(turned, "4,8", "1,8", ""))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"''; true", "4,1,1,1; true", "1,2,1,1; false", "1,1,2,2; false"})
  void aScaleOfChannelsIsTakenBehindAConvolution(String scale, boolean isTaken) {
    assertThat(readsIntegers(graph(CONVOLUTION, "4,2,2,2", scale, ""))).isEqualTo(isTaken);
  }
}
