package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Integers divided by zero, and the arithmetic that OpenCL and C leave undefined: the same on
/// every device and from every writer.
@OnEachDevice
final class ArithmeticTest extends SharedEngine {
  private static TestModel quotient(String op, String a, String b, String... attributes) {
    return TestModel.opset(17)
        .longs("a", a)
        .longs("b", b)
        .node(op, "a b", "y", attributes)
        .output("y");
  }

  @Test
  void anIntegerDividedByZeroFailsItsRow() {
    try (Model model = load(quotient("Div", "N,3", "N,3"))) {
      Tensor a = longs(shape(3, 3), 7, -7, 7, -7, 1, 2, 3, 4, 5);
      assertThat(wholes(model, a, longs(shape(3, 3), 2, 2, -2, -2, 1, 1, 1, 1, 9)))
          .containsExactly(3, -3, -3, 3, 1, 2, 3, 4, 0);
      assertFails(
          "node 'make y' (Div): division by zero, at row 1, position 4; one more row failed: 2",
          model,
          a,
          longs(shape(3, 3), 1, 1, 1, 1, 0, 0, 0, 1, 1));
      assertThat(wholes(model, a, a)).containsOnly(1);
    }
  }

  @Test
  void aRemainderByZeroFailsWhicheverSignItHas() {
    for (String fmod : new String[] {"fmod=0", "fmod=1"}) {
      try (Model model = load(quotient("Mod", "N,2", "N,2", fmod))) {
        Tensor a = longs(shape(1, 2), -7, 7);
        assertThat(wholes(model, a, longs(shape(1, 2), 3, -3)))
            .containsExactly(fmod.endsWith("1") ? new long[] {-1, 1} : new long[] {2, -2});
        assertFails(
            "node 'make y' (Mod): division by zero, at row 0, position 1",
            model,
            a,
            longs(shape(1, 2), 3, 0));
      }
    }
  }

  @Test
  void aDivisorThatAllRowsShareFailsTheRun() {
    try (Model model = load(quotient("Div", "N,3", "1,3"))) {
      Tensor a = counted(ElementType.I64, 4, 3);
      assertThat(wholes(model, a, longs(shape(1, 3), 1, 2, 3))).hasSize(12);
      assertFails(
          "node 'make y' (Div): division by zero, position 2",
          model,
          a,
          longs(shape(1, 3), 1, 2, 0));
    }
  }

  @Test
  void aDivisorPerRowFailsItsRowWhereverItIsBroadcast() {
    try (Model model = load(quotient("Div", "N,3", "N,1"))) {
      Tensor a = counted(ElementType.I64, 3, 3);
      assertFails(
          "node 'make y' (Div): division by zero, at row 2, position 6",
          model,
          a,
          longs(shape(3, 1), 1, 2, 0));
    }
  }

  /// The smallest integer divided by −1 is itself and leaves no remainder, whatever the processor
  /// makes of it.
  @ParameterizedTest
  @CsvSource({"INT8, -128", "INT16, -32768", "INT32, -2147483648", "INT64, -9223372036854775808"})
  void quotientsThatOverflowWrap(DataType type, long least) {
    TestModel text =
        TestModel.opset(17)
            .input("a", type, "N,2")
            .input("b", type, "N,2")
            .node("Div", "a b", "quotient")
            .node("Mod", "a b", "modulus", "fmod=0")
            .node("Mod", "a b", "remainder", "fmod=1")
            .output("quotient")
            .output("modulus")
            .output("remainder");
    ElementType element = ElementType.ofOnnx(type.getNumber()).orElseThrow();
    try (Model model = load(text)) {
      Tensor a = wholes(element, shape(1, 2), least, least + 1);
      Tensor b = wholes(element, shape(1, 2), -1, -1);
      assertThat(allWholes(model, a, b))
          .containsExactly(List.of(least, -(least + 1)), List.of(0L, 0L), List.of(0L, 0L));
    }
  }

  @ParameterizedTest
  @CsvSource({"UINT8, 8", "UINT16, 16", "UINT32, 32", "UINT64, 64"})
  void aShiftByTheWidthOrMoreLeavesNothing(DataType type, long width) {
    TestModel text =
        TestModel.opset(17)
            .input("a", type, "N,4")
            .input("b", type, "N,4")
            .node("BitShift", "a b", "left", "direction=LEFT")
            .node("BitShift", "a b", "right", "direction=RIGHT")
            .output("left")
            .output("right");
    ElementType element = ElementType.ofOnnx(type.getNumber()).orElseThrow();
    long top = 1L << width - 1;
    try (Model model = load(text)) {
      Tensor a = wholes(element, shape(1, 4), 1, top, top + 1, top + 1);
      Tensor b = wholes(element, shape(1, 4), width - 1, width - 1, width, 255);
      assertThat(allWholes(model, a, b))
          .containsExactly(List.of(top, 0L, 0L, 0L), List.of(0L, 1L, 0L, 0L));
    }
  }

  /// NaN becomes 0, and what is out of range the nearest integer there is.
  @ParameterizedTest
  @CsvSource({"FLOAT", "DOUBLE"})
  void castsToIntegersClamp(DataType type) {
    Map<DataType, long[]> bounds = new LinkedHashMap<>();
    bounds.put(DataType.INT8, new long[] {Byte.MIN_VALUE, Byte.MAX_VALUE});
    bounds.put(DataType.INT16, new long[] {Short.MIN_VALUE, Short.MAX_VALUE});
    bounds.put(DataType.INT32, new long[] {Integer.MIN_VALUE, Integer.MAX_VALUE});
    bounds.put(DataType.INT64, new long[] {Long.MIN_VALUE, Long.MAX_VALUE});
    bounds.put(DataType.UINT8, new long[] {0, 255});
    bounds.put(DataType.UINT16, new long[] {0, 65_535});
    bounds.put(DataType.UINT32, new long[] {0, 0xffff_ffffL});
    bounds.put(DataType.UINT64, new long[] {0, -1});
    TestModel text = TestModel.opset(17).input("x", type, "N,6");
    bounds
        .keySet()
        .forEach(to -> text.node("Cast", "x", to.name(), "to=" + to.getNumber()).output(to.name()));
    float infinity = Float.POSITIVE_INFINITY;
    float[] x = {Float.NaN, infinity, -infinity, 1e30f, -1e30f, 77.9f};
    Tensor tensor = type == DataType.FLOAT ? floats(shape(1, 6), x) : doubles(shape(1, 6), x);
    try (Model model = load(text)) {
      assertThat(allWholes(model, tensor))
          .containsExactlyElementsOf(
              bounds.values().stream().map(b -> List.of(0L, b[1], b[0], b[1], b[0], 77L)).toList());
    }
  }

  private static Tensor doubles(long[] shape, float... values) {
    Tensor tensor = Interpreter.allocate(ElementType.F64, shape);
    for (int i = 0; i < values.length; i++) {
      long bits = Double.doubleToRawLongBits(values[i]);
      ElementBits.write(tensor.data(), ElementType.F64, i, bits);
    }
    return tensor;
  }

  /// A divisor that a failed step left zero is divided by in the row that failed, and only the
  /// first failure is told.
  @Test
  void divisorsThatAreGarbageDoNotTrap() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,4")
            .longs("i", "N,4")
            .node("GatherElements", "a i", "b", "axis=1")
            .node("Div", "a b", "q")
            .node("Mod", "q b", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor a = longs(shape(2, 4), 1, 2, 3, 4, 5, 6, 7, 8);
      assertFails(
          "node 'make b' (GatherElements): index 4 is outside [-4, 3] on axis 1, at row 1,"
              + " position 5",
          model,
          a,
          longs(shape(2, 4), 0, 1, 2, 3, 0, 4, 2, 3));
      assertThat(wholes(model, a, longs(shape(2, 4), 0, 1, 2, 3, 3, 2, 1, 0)))
          .containsExactly(0, 1, 1, 1, 0, 0, 1, 1);
    }
  }

  @Test
  void theFirstDivisionOfTheFileIsTold() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,2")
            .longs("b", "N,2")
            .longs("c", "N,2")
            .node("Mod", "a b", "p")
            .node("Div", "a c", "q")
            .node("Add", "p q", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor a = counted(ElementType.I64, 2, 2);
      assertFails(
          "node 'make p' (Mod): division by zero, at row 0, position 1; one more row failed: 1",
          model,
          a,
          longs(shape(2, 2), 1, 0, 1, 1),
          longs(shape(2, 2), 0, 0, 0, 0));
    }
  }

  /// The divisor may lie where its quotient goes: who fails must still find the first zero.
  @Test
  void theFirstZeroOfManyIsToldInEveryRun() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "100000")
            .longs("b", "100000")
            .node("Add", "b b", "d")
            .node("Div", "a d", "y")
            .output("y");
    long[] divisors = new long[100_000];
    Arrays.setAll(divisors, i -> i < 777 ? 1 : i % 3);
    try (Model model = load(text)) {
      for (int run = 0; run < 50; run++) {
        assertFails(
            "node 'make y' (Div): division by zero, position 777",
            model,
            counted(ElementType.I64, 100_000),
            longs(shape(100_000), divisors));
      }
    }
  }

  @Test
  void aConstantThatIsNotZeroCannotFail() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,3")
            .constant("b", 3, -4, 5)
            .node("Div", "a b", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(wholes(model, longs(shape(2, 3), 7, 8, 9, -7, -8, -9)))
          .containsExactly(2, -2, 1, -2, 2, -1);
      assertThat(model.plan(1).json()).contains("\"failureBytes\":0");
    }
    try (Model model =
        load(
            TestModel.opset(17)
                .longs("a", "N,3")
                .constant("b", 3, 0, 5)
                .node("Div", "a b", "y")
                .output("y"))) {
      assertFails(
          "node 'make y' (Div): division by zero, position 1",
          model,
          counted(ElementType.I64, 2, 3));
    }
  }
}
