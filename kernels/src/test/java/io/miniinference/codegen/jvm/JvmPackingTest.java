package io.miniinference.codegen.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Weights as the JVM's tiles read them.
class JvmPackingTest {
  private static final Window SQUARE =
      new Window(List.of(3, 2), List.of(1, 1), List.of(1, 1), List.of(0, 0), List.of(0, 0));

  @Test
  void channelsOfAConvolutionsResultAreNeighbours() {
    JvmPacking packing = packing(new Op.Conv(SQUARE, 1), 20, 5, 3, 2);
    assertThat(steps(packing, 20, 5, 3, 2)).containsExactly(1, 120, 40, 20);
  }

  @Test
  void channelsOfATransposedConvolutionsResultAreNeighbours() {
    JvmPacking packing = packing(new Op.ConvTranspose(SQUARE, 1, List.of(0, 0)), 5, 20, 3, 2);
    assertThat(steps(packing, 5, 20, 3, 2)).containsExactly(120, 1, 40, 20);
  }

  @Test
  void aConvolutionOfFewChannelsHasItsWeightsAsTheyAre() {
    assertThat(JvmPacking.of(node(new Op.Conv(SQUARE, 1), 15, 5, 3, 2), 1)).isEmpty();
  }

  @Test
  void elementsAreWhereTheIndexSays() {
    Tensor w = weight(5, 20, 3, 2);
    JvmPacking packing = packing(new Op.ConvTranspose(SQUARE, 1, List.of(0, 0)), 5, 20, 3, 2);
    MemorySegment packed = Arena.ofAuto().allocate(packing.bytes(w), 64);
    packing.pack(w, packed);
    long[] steps = steps(packing, 5, 20, 3, 2);
    for (long c = 0; c < 5; c++) {
      for (long m = 0; m < 20; m++) {
        long at = c * steps[0] + m * steps[1] + 2 * steps[2] + steps[3];
        assertThat(packed.get(ValueLayout.JAVA_FLOAT, 4 * at)).isEqualTo((c * 20 + m) * 6 + 5);
      }
    }
  }

  @Test
  void weightsThatAreNotFiniteStayAsTheyAreWhereZerosWouldBeLeftOut() {
    Node spread = node(new Op.ConvTranspose(SQUARE, 1, List.of(0, 0)), 5, 20, 3, 2);
    Tensor w = weight(5, 20, 3, 2);
    JvmPacking packing = JvmPacking.of(spread, 1).orElseThrow();
    assertThat(packing.suits(spread, w)).isTrue();
    w.data().set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * 99, Float.NaN);
    assertThat(packing.suits(spread, w)).isFalse();
    Node conv = node(new Op.Conv(SQUARE, 1), 20, 5, 3, 2);
    assertThat(JvmPacking.of(conv, 1).orElseThrow().suits(conv, w)).isTrue();
  }

  private static JvmPacking packing(Op op, long... weight) {
    return JvmPacking.of(node(op, weight), 1).orElseThrow();
  }

  private static Node node(Op op, long... weight) {
    Value x = new Value("x", weight(1, 5, 9, 9).type());
    List<Value> inputs = List.of(x, new Value("w", weight(weight).type()));
    Node untyped = new Node("node", "Test", op, null, 2, inputs, x);
    Value y = new Value("y", OpType.of(untyped));
    return new Node("node", "Test", op, null, 2, inputs, y);
  }

  /* Numbers from 0 on. */
  private static Tensor weight(long... shape) {
    float[] values = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    MemorySegment data = Arena.ofAuto().allocate(4L * values.length, 64);
    data.copyFrom(MemorySegment.ofArray(values));
    return Tensor.of(ElementType.F32, data, shape);
  }

  private static long[] steps(JvmPacking packing, long... shape) {
    IndexFunction index = packing.index(Arrays.stream(shape).mapToObj(Affine::of).toList());
    return index.axes().stream().mapToLong(axis -> axis.stride().asConstant()).toArray();
  }
}
