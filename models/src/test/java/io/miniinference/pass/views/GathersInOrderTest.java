package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.Passes;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Gathers by places in order become views, and all others stay as they are.
final class GathersInOrderTest {
  private static final int SEEDS = 400;

  private static String passed(String body) {
    return Passes.apply(new GathersInOrder(), body);
  }

  @Test
  void onePartOfAProjectionIsASlice() {
    assertThat(
            passed(
                """
                  input %x: f32[3,N,7]
                  const %k: i64[] = [1]
                  %y: f32[N,7] = gather(%x, %k) {axis=0}
                  output %y
                """))
        .isEqualTo(
            """
            input %x: f32[3,N,7]
            const %k: i64[] = [1]
            %"y place 0": f32[1,N,7] = slice(%x) {starts=[1,0,0]} from "y" "gather"
            %y: f32[N,7] = reshape(%"y place 0") from "y" "gather"
            output %y
            """);
  }

  @Test
  void viewsHaveNamesThatNoValueHas() {
    assertThat(
            passed(
                """
                  input %x: f32[3,N,7]
                  input %"y place 0": f32[2]
                  input %"y place 0 2": f32[2]
                  const %k: i64[] = [1]
                  %y: f32[N,7] = gather(%x, %k) {axis=0}
                  output %y
                """))
        .contains("%y: f32[N,7] = reshape(%\"y place 0 3\")");
  }

  /// Of 32 and of 64 bits: a place that is on the axis but for what was lost of it, and one of an
  /// axis that is longer than its type counts.
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        const %k: i64[2] = [9223372036854775807, -9223372036854775808]
        %y: f32[2] = gather(%x, %k) {axis=0}
        """,
        """
        const %c: i32[] = [65536]
        %k: i32[] = elementwise(%c) { a0 * a0 }
        %y: f32[] = gather(%x, %k) {axis=0}
        """,
        """
        const %c: i32[] = [65536]
        %k: i64[] = elementwise(%c) { i64(a0 * a0) }
        %y: f32[] = gather(%x, %k) {axis=0}
        """
      })
  void numbersThatOverflowAreNoPlaces(String gather) {
    String body = "  input %x: f32[9000000000]\n" + gather.indent(2) + "  output %y\n";
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  @Test
  void maskByTheNumbersOfRowAndKeyIsTheMask() {
    assertThat(
            passed(
                """
                  input %mask: i64[N,5]
                  const %keys: i64[1,1,5,1] = [0, 1, 2, 3, 4]
                  %rows: i64[N] = elementwise() { i0 }
                  %column: i64[N,1,1,1] = reshape(%rows)
                  %n: i64[N,1,5,1] = expand(%column)
                  %k: i64[N,1,5,1] = expand(%keys)
                  %at: i64[N,1,5,2] = concat(%n, %k) {axis=3}
                  %y: i64[N,1,5] = gather_nd(%mask, %at)
                  output %y
                """))
        .endsWith(
            """
            %y: i64[N,1,5] = reshape(%mask) from "y" "gather_nd"
            output %y
            """);
  }

  @Test
  void maskByItsFlatPlacesIsTheMask() {
    assertThat(
            passed(
                """
                  input %mask: i64[N,5]
                  const %keys: i64[1,1,1,5] = [0, 1, 2, 3, 4]
                  const %width: i64[] = [5]
                  %flat: i64[5N] = reshape(%mask)
                  %rows: i64[N] = elementwise() { i0 }
                  %column: i64[N,1,1,1] = reshape(%rows)
                  %first: i64[N,1,1,1] = elementwise(%column, %width) { a0 * a1 }
                  %at: i64[N,1,1,5] = elementwise(%keys, %first) { a0 + a1 }
                  %y: i64[N,1,1,5] = gather(%flat, %at) {axis=0}
                  output %y
                """))
        .endsWith(
            """
            %y: i64[N,1,1,5] = reshape(%flat) from "y" "gather"
            output %y
            """);
  }

  /// A bad index fails its request, one from the end is none in order, one of an open batch may not
  /// be there, and some are not in order or not apart.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "const %k: i64[] = [6]\n%y: f32[N] = gather(%x, %k) {axis=1}",
        "const %k: i64[] = [-1]\n%y: f32[N] = gather(%x, %k) {axis=1}",
        "const %k: i64[] = [0]\n%y: f32[6] = gather(%x, %k) {axis=0}",
        "const %k: i64[3] = [4, 5, 6]\n%y: f32[N,3] = gather(%x, %k) {axis=1}",
        "const %k: i64[3] = [2, 1, 0]\n%y: f32[N,3] = gather(%x, %k) {axis=1}",
        "const %k: i64[3] = [0, 1, 3]\n%y: f32[N,3] = gather(%x, %k) {axis=1}",
        "const %k: i64[2] = [3, 3]\n%y: f32[N,2] = gather(%x, %k) {axis=1}",
        "const %k: i64[2,2] = [0, 2, 1, 3]\n%y: f32[N,2,2] = gather(%x, %k) {axis=1}",
        "%k: i64[7] = elementwise() { i0 }\n%y: f32[N,7] = gather(%x, %k) {axis=1}",
        "%k: i64[N,2] = elementwise() { i0 }\n%y: f32[N] = gather_nd(%x, %k)"
      })
  void others(String gather) {
    String body = "  input %x: f32[N,6]\n" + gather.indent(2) + "  output %y\n";
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  @Test
  void everyResultAndFailureStaysTheSame() {
    int views = 0;
    int failed = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Graph before = random(new Random(seed));
      Graph after = GraphCheck.check(new GathersInOrder().apply(before));
      List<Tensor> input = List.of(counted(before));
      String expected = outcome(before, input);
      assertThat(outcome(after, input)).as(GraphText.print(before)).isEqualTo(expected);
      boolean isGather = after.nodes().stream().anyMatch(node -> node.op() instanceof Op.Gather);
      assertThat(expected.startsWith("node") && !isGather).isFalse();
      views += isGather ? 0 : 1;
      failed += expected.startsWith("node") ? 1 : 0;
    }
    assertThat(views).isGreaterThan(SEEDS / 8);
    assertThat(failed).isGreaterThan(SEEDS / 16);
  }

  /* A Gather along a random axis, by a few numbers that are often in order. */
  private static Graph random(Random random) {
    int[] shape = {1 + random.nextInt(4), 1 + random.nextInt(6), 1 + random.nextInt(3)};
    int axis = random.nextInt(3);
    int count = 1 + random.nextInt(4);
    int start = random.nextInt(4);
    int step = random.nextInt(3);
    String places =
        LongStream.range(0, count)
            .map(i -> start + i * step + (random.nextInt(12) == 0 ? 1 : 0))
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", "));
    int[] result = {shape[0], shape[1], shape[2]};
    result[axis] = count;
    String text =
        """
        graph "g" {
          input %%x: f32[%d,%d,%d]
          const %%k: i64[%d] = [%s]
          %%y: f32[%d,%d,%d] = gather(%%x, %%k) {axis=%d}
          output %%y
        }
        """
            .formatted(
                shape[0], shape[1], shape[2], count, places, result[0], result[1], result[2], axis);
    return GraphCheck.check(GraphText.parse(text));
  }

  private static Tensor counted(Graph graph) {
    var type = graph.inputs().getFirst().type();
    Tensor tensor = Interpreter.allocate(type.element(), type.shapeAt(1));
    for (long i = 0; i < tensor.elements(); i++) {
      tensor.data().set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, i);
    }
    return tensor;
  }

  private static String outcome(Graph graph, List<Tensor> inputs) {
    try {
      Tensor y = Interpreter.run(graph, inputs).getFirst();
      return LongStream.range(0, y.elements())
          .mapToObj(i -> Double.toString(ElementBits.read(y, i).asDouble()))
          .collect(Collectors.joining(" "));
    } catch (DataFailure e) {
      return String.valueOf(e.getMessage());
    }
  }
}
