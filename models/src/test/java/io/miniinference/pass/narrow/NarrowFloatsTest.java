package io.miniinference.pass.narrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NarrowFloatsTest {
  private static final long SEED = 20261122;

  private static Graph graph(String text) {
    return GraphCheck.check(GraphText.parse(text));
  }

  private static final Graph NETWORK =
      graph(
          """
          graph "g" {
            input %x: f32[2,8]
            input %w: f32[8,4]
            %a: f32[2,4] = matmul(%x, %w)
            %b: f32[2,4] = softmax(%a) {axis=1}
            %d: f32[2,4] = elementwise(%a, %b) { a0 * a1 + a1 }
            %c: f32[4,8] = matmul(%d, %x) {transposeA=true} epilogue() { a0 + 0.5 }
            output %c
          }
          """);

  private static Tensor random(Random random, long... shape) {
    float[] values = new float[(int) Tensor.elements(shape)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian() / 2;
    }
    return Tensor.of(values, shape);
  }

  /// Of each number, one after the other, from what is given to what comes out.
  private static final int ROUNDINGS = 8;

  private static double largest(float[] values) {
    double largest = 0;
    for (float value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }

  private static ElementType typeOf(Graph graph, String value) {
    return graph.nodes().stream()
        .flatMap(node -> node.outputs().stream())
        .filter(v -> v.name().equals(value))
        .map(v -> v.type().element())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void whatNodesHandOnIsNarrowAndWhatARequestSeesIsNot(ElementType narrow) {
    Graph stored = NarrowFloats.of(NETWORK, narrow);
    assertThat(stored.inputs()).isEqualTo(NETWORK.inputs());
    assertThat(stored.outputs()).isEqualTo(NETWORK.outputs());
    assertThat(typeOf(stored, "a")).isEqualTo(narrow);
    assertThat(typeOf(stored, "b")).isEqualTo(narrow);
  }

  /// Scores and boxes that are nearly alike stay so.
  @Test
  void whatBoxesAreChosenByIsNotRounded() {
    Graph stored =
        NarrowFloats.of(
            graph(
                """
                graph "g" {
                  input %x: f32[1,2,9]
                  input %y: f32[1,9,4]
                  input %most: f32[]
                  %scores: f32[1,2,9] = softmax(%x) {axis=2}
                  %boxes: f32[1,9,4] = elementwise(%y) { a0 * 2.0 }
                  %chosen: i64[1,2,3] = non_max_suppression(%scores, %boxes, %most) {k=3, centered=true}
                  output %chosen
                }
                """),
            ElementType.BF16);
    assertThat(typeOf(stored, "scores")).isEqualTo(ElementType.F32);
    assertThat(typeOf(stored, "boxes")).isEqualTo(ElementType.F32);
    assertThat(GraphText.parse(GraphText.print(stored))).isEqualTo(stored);
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void resultsAreThoseOf32BitsUpToRounding(ElementType narrow) {
    Random random = new Random(SEED);
    List<Tensor> inputs = List.of(random(random, 2, 8), random(random, 8, 4));
    float[] expected = Interpreter.run(NETWORK, inputs).getFirst().floats();
    float[] got = Interpreter.run(NarrowFloats.of(NETWORK, narrow), inputs).getFirst().floats();
    double error = ROUNDINGS * (narrow == ElementType.F16 ? 0x1p-11 : 0x1p-8) * largest(expected);
    for (int i = 0; i < got.length; i++) {
      assertThat((double) got[i])
          .as("element %d, seed %d", i, SEED)
          .isBetween(expected[i] - error, expected[i] + error);
    }
    assertThat(got).isNotEqualTo(expected);
  }

  /// Of 32, of which rounding clears the last 13 or 16.
  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void numbersWhoseBitsAreTakenStayExact(ElementType narrow) {
    Graph taken =
        graph(
            """
            graph "g" {
              input %x: f32[4]
              %third: f32[4] = elementwise(%x) { a0 / 3.0 }
              %y: i32[4] = elementwise(%third) { bits(a0) }
              output %y
            }
            """);
    Graph stored = NarrowFloats.of(taken, narrow);
    assertThat(typeOf(stored, "third")).isEqualTo(ElementType.F32);
    List<Tensor> inputs = List.of(random(new Random(SEED), 4));
    int[] bits = Interpreter.run(taken, inputs).getFirst().ints();
    assertThat(Interpreter.run(stored, inputs).getFirst().ints()).isEqualTo(bits);
  }

  @Test
  void numbersThatIndicesAreComputedFromStayExact() {
    Graph counted =
        graph(
            """
            graph "g" {
              input %x: f32[3000]
              %place: f32[3000] = elementwise(%x) { a0 * 2.0 }
              %index: i64[3000] = elementwise(%place) { i64(a0) }
              output %index
            }
            """);
    Graph stored = NarrowFloats.of(counted, ElementType.F16);
    assertThat(typeOf(stored, "place")).isEqualTo(ElementType.F32);
  }

  @Test
  void soTheyDoWhereTheyAreMoved() {
    Graph counted =
        graph(
            """
            graph "g" {
              input %x: f32[2,3]
              %place: f32[2,3] = elementwise(%x) { a0 * 2.0 }
              %row: f32[6] = reshape(%place)
              %index: i64[6] = elementwise(%row) { i64(a0) }
              output %index
            }
            """);
    Tensor places = Tensor.of(new float[] {1, 2049, 4099, 3, 5, 6}, 2, 3);
    long[] indices =
        Interpreter.run(NarrowFloats.of(counted, ElementType.F16), List.of(places))
            .getFirst()
            .longs();
    assertThat(indices).containsExactly(2, 4098, 8198, 6, 10, 12);
  }

  @Test
  void epiloguesOfWideResultsReadNarrowValues() {
    Graph summed =
        graph(
            """
            graph "g" {
              input %x: f32[3,4]
              %most: f32[4] = reduce_max(%x) {axes=[0]} map { a0 }
              %twice: f32[3,4] = elementwise(%x) { a0 * 2.0 }
              %sum: f32[4] = reduce_sum(%twice) {axes=[0]} map { a0 } epilogue(%most) { a0 + a1 }
              output %sum
            }
            """);
    Tensor x = random(new Random(SEED), 3, 4);
    float[] expected = Interpreter.run(summed, List.of(x)).getFirst().floats();
    float[] got =
        Interpreter.run(NarrowFloats.of(summed, ElementType.F16), List.of(x)).getFirst().floats();
    for (int i = 0; i < got.length; i++) {
      assertThat(got[i]).as("element %d, seed %d", i, SEED).isCloseTo(expected[i], within(8e-3f));
    }
  }

  /// What an operator gives of floats need not be one.
  @Test
  void placesAreNotStoredAsFloats() {
    Graph chosen =
        graph(
            """
            graph "g" {
              input %x: f32[2,5]
              %twice: f32[2,5] = elementwise(%x) { a0 * 2.0 }
              %places: i64[2,2] = top_k(%twice) {axis=1, k=2, parts=[indices]}
              output %places
            }
            """);
    Tensor x = Tensor.of(new float[] {1, 5, 3, 4, 2, 9, 6, 7, 0, 8}, 2, 5);
    Graph stored = NarrowFloats.of(chosen, ElementType.F16);
    assertThat(typeOf(stored, "twice")).isEqualTo(ElementType.F16);
    assertThat(Interpreter.run(stored, List.of(x)).getFirst().longs()).containsExactly(1, 3, 0, 4);
  }

  /// Their kernels have no epilogue, which would widen what they give.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "top_k(%twice) {axis=1, k=5, parts=[values]}",
        "scan_sum(%twice) {axis=1, exclusive=false, reverse=false}"
      })
  void whatIsReadInOrderIsWidenedByANodeOfItsOwn(String op) {
    Graph ordered =
        graph(
            """
            graph "g" {
              input %x: f32[2,5]
              %twice: f32[2,5] = elementwise(%x) { a0 * 2.0 }
              %y: f32[2,5] = OP
              output %y
            }
            """
                .replace("OP", op));
    Tensor x = Tensor.of(new float[] {1, 5, 3, 4, 2, 9, 6, 7, 0, 8}, 2, 5);
    Graph stored = NarrowFloats.of(ordered, ElementType.F16);
    assertThat(typeOf(stored, "y (f16)")).isEqualTo(ElementType.F16);
    assertThat(Interpreter.run(stored, List.of(x)).getFirst().floats())
        .containsExactly(Interpreter.run(ordered, List.of(x)).getFirst().floats());
  }

  /// By the least number of 32 bits, which is infinite in 16: a softmax of it would be NaN.
  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void queriesOfWhichAllKeysAreHiddenAreNotNaN(ElementType narrow) {
    Graph masked =
        graph(
            """
            graph "g" {
              input %x: f32[2,4]
              input %seen: f32[1,4]
              %hidden: f32[1,4] = elementwise(%seen) { (1.0 - a0) * -3.4028234663852886E38 }
              %scores: f32[2,4] = elementwise(%x, %hidden) { a0 + a1 }
              %shares: f32[2,4] = softmax(%scores) {axis=1}
              output %shares
            }
            """);
    Graph stored = NarrowFloats.of(masked, narrow);
    assertThat(typeOf(stored, "hidden")).isEqualTo(narrow);
    List<Tensor> inputs = List.of(random(new Random(SEED), 2, 4), Tensor.of(new float[4], 1, 4));
    assertThat(Interpreter.run(stored, inputs).getFirst().floats()).containsOnly(0.25f);
  }

  /// A request may bring such a mask.
  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void norAreThoseOfWhichARequestHidesAll(ElementType narrow) {
    Graph masked =
        graph(
            """
            graph "g" {
              input %x: f32[2,4]
              input %mask: f32[1,4]
              input %more: f32[1,8]
              %first: f32[1,4] = slice(%more)
              %sum: f32[2,4] = elementwise(%x, %mask) { a0 + a1 }
              %other: f32[2,4] = elementwise(%x, %first) { a0 + a1 }
              %one: f32[2,4] = softmax(%sum) {axis=1}
              %two: f32[2,4] = softmax(%other) {axis=1}
              %shares: f32[2,8] = concat(%one, %two) {axis=1}
              output %shares
            }
            """);
    Graph stored = NarrowFloats.of(masked, narrow);
    assertThat(typeOf(stored, "first")).isEqualTo(narrow);
    assertThat(typeOf(stored, "sum")).isEqualTo(narrow);
    float[] least = new float[8];
    Arrays.fill(least, -Float.MAX_VALUE);
    Tensor four = Tensor.of(Arrays.copyOf(least, 4), 1, 4);
    List<Tensor> inputs = List.of(random(new Random(SEED), 2, 4), four, Tensor.of(least, 1, 8));
    assertThat(Interpreter.run(stored, inputs).getFirst().floats()).containsOnly(0.25f);
  }

  /// Halves that a model has itself are computed as it says.
  @Test
  void halvesOfTheModelStayAsTheyAre() {
    Graph halves =
        graph(
            """
            graph "g" {
              input %x: f16[3,4]
              input %y: f32[4]
              %sum: f16[4] = reduce_sum(%x) {axes=[0]} map { a0 } epilogue() { a0 * f16(0.5) }
              %most: f16[4] = reduce_max(%x) {axes=[0]} map { a0 } epilogue(%y) { a0 + f16(a1) }
              %both: f16[4] = elementwise(%sum, %most) { a0 + a1 }
              output %both
            }
            """);
    assertThat(NarrowFloats.of(halves, ElementType.F16)).isEqualTo(halves);
  }

  @Test
  void graphsWithoutFloatsStayAsTheyAre() {
    Graph whole =
        graph(
            """
            graph "g" {
              input %x: i64[4]
              %y: i64[4] = elementwise(%x) { a0 + 1 }
              output %y
            }
            """);
    assertThat(NarrowFloats.of(whole, ElementType.F16)).isEqualTo(whole);
  }

  @Test
  void weightsBeyondTheLargestHalfBecomeTheLargest() {
    Tensor weight = Tensor.of(new float[] {1e9f, -1e9f, 0.1f, Float.POSITIVE_INFINITY}, 4);
    float[] narrow = NarrowTensor.of(weight, ElementType.F16).floats();
    assertThat(narrow).containsExactly(65504, -65504, 0.099975586f, Float.POSITIVE_INFINITY);
    float[] brain = NarrowTensor.of(weight, ElementType.BF16).floats();
    assertThat(brain[2]).isEqualTo(0.100097656f);
    assertThat(brain[3]).isInfinite();
  }

  @Test
  void eachValueIsDefinedOnce() {
    List<String> names =
        NarrowFloats.of(NETWORK, ElementType.BF16).nodes().stream()
            .map(Node::outputs)
            .flatMap(List::stream)
            .map(Value::name)
            .toList();
    assertThat(names).doesNotHaveDuplicates();
  }
}
