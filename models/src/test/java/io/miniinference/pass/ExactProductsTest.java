package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.narrow.NarrowFloats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Integers that are multiplied as floats give the integers that they gave.
final class ExactProductsTest {
  private static final String CONVOLUTION =
      """
      graph "g" {
        input %x: u8[2,C,5,5]
        input %zero: u8[]
        input %scale: f32[]
        const %w: i32[6,C,3,3] = large 00
        const %bias: i32[6,1,1] = large 00
        %c: i32[2,C,5,5] = elementwise(%x, %zero) { i32(a0) - i32(a1) }
        %p: i32[2,6,3,3] = conv(%c, %w) {kernel=[3,3]}
        %b: i32[2,6,3,3] = elementwise(%p, %bias) { a0 + a1 }
        %y: f32[2,6,3,3] = elementwise(%b, %scale) { f32(a0) * a1 }
        output %y
        output %p
      }
      """;

  private static final String PRODUCT =
      """
      graph "g" {
        input %x: u8[3,C]
        const %w: i32[C,7] = large 00
        %c: i32[3,C] = elementwise(%x) { i32(a0) }
        %y: i32[3,7] = matmul(%c, %w)
        output %y
      }
      """;

  private static final String OF_TWO =
      """
      graph "g" {
        input %a: i8[4,3,C]
        input %b: u8[4,5,C]
        %c: i32[4,3,C] = elementwise(%a) { i32(a0) }
        %d: i32[4,5,C] = elementwise(%b) { i32(a0) }
        %y: i32[4,3,5] = matmul(%c, %d) {transposeB=true}
        output %y
      }
      """;

  /* The graph, its constants of random integers up to `most` from zero, of one sign where `same`. */
  private static Graph graph(String text, int channels, int most, boolean same) {
    Graph graph = GraphText.parse(text.replace("C,", channels + ",").replace("C]", channels + "]"));
    Random random = new Random(channels);
    Map<io.miniinference.ir.Value, Tensor> constants = new LinkedHashMap<>();
    graph
        .constants()
        .forEach((value, zeros) -> {
          int[] numbers = new int[Math.toIntExact(zeros.elements())];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = same ? most : random.nextInt(2 * most + 1) - most;
          }
          constants.put(value, Tensor.of(numbers, zeros.shape()).copy());
        });
    return GraphCheck.check(Rewrite.nodes(graph, graph.nodes(), constants));
  }

  private static List<Tensor> inputs(Graph graph, boolean largest) {
    Random random = new Random(7);
    return graph.inputs().stream()
        .map(input -> {
          long[] shape = input.type().shapeAt(1);
          if (input.type().element() == ElementType.F32) {
            return Tensor.of(new float[] {0.37f}, shape);
          }
          byte[] bytes = new byte[Math.toIntExact(Tensor.elements(shape))];
          random.nextBytes(bytes);
          if (largest) {
            java.util.Arrays.fill(bytes, (byte) (shape.length == 0 ? 0 : 255));
          }
          return Tensor.of(input.type().element(), java.nio.ByteBuffer.wrap(bytes), shape).copy();
        })
        .toList();
  }

  private static Graph checked(Graph before, boolean largest) {
    Graph after = GraphCheck.check(new ExactProducts(Passes::evaluate).apply(before));
    List<Tensor> inputs = inputs(before, largest);
    List<Tensor> expected = Interpreter.run(before, inputs);
    List<Tensor> actual = Interpreter.run(after, inputs);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i).data().mismatch(expected.get(i).data())).isEqualTo(-1);
    }
    return after;
  }

  private static List<Op.Contraction> products(Graph graph) {
    return graph.nodes().stream()
        .map(Node::op)
        .filter(Op.Contraction.class::isInstance)
        .map(Op.Contraction.class::cast)
        .toList();
  }

  private static void assertExact(Graph graph, int parts) {
    assertThat(products(graph)).hasSize(parts).allMatch(Op.Contraction::exact);
  }

  private static void assertAsItWas(Graph graph) {
    assertThat(products(graph)).hasSize(1).noneMatch(Op.Contraction::exact);
  }

  @Test
  void smallIntegersAreMultipliedAsFloats() {
    Graph after = checked(graph(CONVOLUTION, 8, 127, false), false);
    assertExact(after, 1);
    assertThat(products(GraphText.parse(GraphText.print(after)))).isEqualTo(products(after));
  }

  /* 48 · 9 products of 255 · 127 are less than 2^24, half as many again are more. */
  @ParameterizedTest
  @ValueSource(ints = {48, 64, 112})
  void sumsThatFloatsMayNotHoldAreMadeInParts(int channels) {
    Graph all = graph(CONVOLUTION, channels, 127, true);
    Graph after = checked(all, true);
    assertExact(after, Math.ceilDiv(channels, 48));
    checked(all, false);
  }

  @Test
  void aSumOfMorePartsThanAreWorthItStaysOne() {
    assertAsItWas(checked(graph(CONVOLUTION, 400, 127, true), true));
  }

  @Test
  void weightsThatFloatsDoNotHoldStayIntegers() {
    assertAsItWas(checked(graph(CONVOLUTION, 8, 1 << 25, false), false));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17, 500, 1500})
  void matricesAreMultipliedInPartsOfTheirDepth(int depth) {
    Graph all = graph(PRODUCT, depth, 127, true);
    assertExact(checked(all, true), Math.ceilDiv(depth, 512));
  }

  @Test
  void twoFactorsThatAreComputedAreMultipliedWhereTheirTypesSayEnough() {
    assertExact(checked(graph(OF_TWO, 64, 0, false), false), 1);
    assertAsItWas(checked(graph(OF_TWO, 1000, 0, false), false));
  }

  /* Where the sum is read as a float alone, it is never an integer. */
  @Test
  void aBiasIsAddedAsAFloat() {
    Graph before = graph(CONVOLUTION.replace("  output %p\n", ""), 8, 127, false);
    assertThat(checked(before, false).nodes())
        .noneMatch(node -> node.output().type().element() == ElementType.I32);
  }

  @ParameterizedTest
  @ValueSource(strings = {"F16", "BF16"})
  void itsFloatsStayWideWhereOthersAreStoredIn16Bits(String narrow) {
    Graph before = graph(CONVOLUTION, 8, 127, false);
    Graph after = new ExactProducts(Passes::evaluate).apply(before);
    Graph stored = NarrowFloats.of(after, ElementType.valueOf(narrow));
    List<Tensor> inputs = inputs(before, true);
    assertThat(
            Interpreter.run(stored, inputs)
                .get(1)
                .data()
                .mismatch(Interpreter.run(before, inputs).get(1).data()))
        .isEqualTo(-1);
  }
}
