package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Precision;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Products of operands rounded to TF32, by the form of the kernels that runs on any device.
@Tag("opencl")
@ExtendWith(UnoptimisedKernels.class)
final class TensorProductTest {
  private static final Expr RELU = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));

  /// The bits of a `float` that TF32 has not.
  private static final int DROPPED = 0x1fff;

  private static double tf32(double value) {
    int bits = Float.floatToRawIntBits((float) value);
    return Float.intBitsToFloat((bits + 0x1000) & ~DROPPED);
  }

  /* Operands that are TF32 numbers already, so that rounding changes none of them. */
  private static final class Operands {
    private final Sheet sheet;
    private final DoubleUnaryOperator map;

    Operands(Sheet sheet, DoubleUnaryOperator map) {
      this.sheet = sheet;
      this.map = map;
    }

    private Tensor mapped(Random random, long... shape) {
      TensorView view = TensorView.of(Data.NORMAL.fill(random, ElementType.F32, shape));
      Tensor tensor = Interpreter.allocate(ElementType.F32, shape);
      for (long i = 0; i < tensor.elements(); i++) {
        TensorView.of(tensor).realAt(i, map.applyAsDouble(view.realAt(i)));
      }
      return tensor;
    }

    Value input(List<Affine> shape) {
      long seed = sheet.random().nextLong();
      TensorType type = new TensorType(ElementType.F32, shape);
      return sheet.input(type, n -> mapped(new Random(seed + n), type.shapeAt(n)));
    }

    Value constant(long... shape) {
      return sheet.constant(mapped(sheet.random(), shape));
    }
  }

  static Stream<Sheet> sheets() {
    return Stream.of(weights(), pairs(), convolutions(), firstLayers(), gathered());
  }

  private static Sheet weights() {
    Sheet s = new Sheet("products with weights", 81).batches(1L, 3L, 0L);
    Operands exact = new Operands(s, TensorProductTest::tf32);
    long[] widths = {16, 33, 64, 130};
    for (int c = 0; c < widths.length; c++) {
      long columns = widths[c];
      s.thinned(2, c / 2 + c); // whole vectors and others, each as they are and turned
      Value x = exact.input(Sheet.batch(17, 36));
      s.check("36 by " + columns, s.at("m").matMul(x, exact.constant(36, columns)));
      s.check(
          "turned, 36 by " + columns,
          s.at("m").matMul(x, exact.constant(columns, 36), false, true));
    }
    s.thinned(1, 0);
    Value rows = exact.input(Sheet.batch(530, 39));
    s.check("many rows", s.at("m").matMul(rows, exact.constant(39, 70)));
    Value deep = exact.input(Sheet.batch(20, 520));
    s.check(
        "slices of a depth",
        s.at("m")
            .op(
                new Op.MatMul(false, false),
                List.of(deep, exact.constant(520, 40)),
                RELU,
                List.of(exact.constant(40))));
    return s;
  }

  private static Sheet pairs() {
    Sheet s = new Sheet("products of inputs", 82).batches(2L, 1L);
    Operands exact = new Operands(s, TensorProductTest::tf32);
    Value a = exact.input(Sheet.batch(3, 40, 32));
    Value b = exact.input(Sheet.batch(3, 32, 24));
    s.check("as they are", s.at("m").matMul(a, b));
    Value turned = exact.input(Sheet.batch(3, 24, 32));
    s.check("right turned", s.at("m").matMul(a, turned, false, true));
    Value left = exact.input(Sheet.batch(3, 32, 40));
    s.check("left turned", s.at("m").matMul(left, b, true, false));
    return s;
  }

  private static Sheet convolutions() {
    Sheet s = new Sheet("convolutions", 83).batches(1L, 2L);
    Operands exact = new Operands(s, TensorProductTest::tf32);
    Value x = exact.input(Sheet.batch(32, 9, 11));
    for (int stride : new int[] {1, 2}) {
      Window window = WindowCases.window(2, 3, stride, 1, 1, 1);
      s.check("stride " + stride, s.at("c").conv(window, 1, x, exact.constant(32, 32, 3, 3)));
    }
    Window point = WindowCases.window(2, 1, 1, 1, 0, 0);
    Value h = s.at("h").conv(point, 1, x, exact.constant(36, 32, 1, 1));
    s.check("a convolution of a convolution, to no TF32 numbers", h);
    Value large = exact.input(Sheet.batch(32, 24, 24));
    Value bias = exact.constant(48, 1, 1);
    s.check(
        "wide, bias and relu",
        s.at("e")
            .op(
                new Op.Conv(point, 1),
                List.of(large, exact.constant(48, 32, 1, 1)),
                RELU,
                List.of(bias)));
    return s;
  }

  private static Sheet firstLayers() {
    Sheet s = new Sheet("first layers", 84).batches(1L, 2L);
    Operands exact = new Operands(s, TensorProductTest::tf32);
    Value image = exact.input(Sheet.batch(3, 24, 24));
    Window wide = WindowCases.window(2, 7, 1, 1, 3, 3);
    s.check("3 channels", s.at("c").conv(wide, 1, image, exact.constant(24, 3, 7, 7)));
    return s;
  }

  private static Sheet gathered() {
    Sheet s = new Sheet("gathered rows", 85).batches(1L, 3L);
    Operands exact = new Operands(s, TensorProductTest::tf32);
    Value places = s.input(Data.UNIT, ElementType.I64, Sheet.batch(18));
    Value rows = s.at("g").gather(0, exact.constant(5, 36), places);
    s.check("36 by 33", s.at("m").matMul(rows, exact.constant(36, 33)));
    return s;
  }

  private static Rig rig() {
    return Writer.GPU.open(new GpuTarget(TensorProducts.PORTABLE, Precision.TF32));
  }

  @ParameterizedTest
  @MethodSource("sheets")
  void tf32NumbersAreMultipliedAsFloatsAre(Sheet sheet) {
    try (Rig rig = rig()) {
      assertThat(rig.generate(sheet.graph()).code().source())
          .contains("rounded to TF32")
          .doesNotContain(" x 4 of them, in registers");
      assertThat(sheet.differences(rig, sheet.graph(), _ -> 1e-5)).isEmpty();
    }
  }

  private static Sheet product(DoubleUnaryOperator map) {
    Sheet sheet = new Sheet("one product", 86).batches(1L);
    Operands operands = new Operands(sheet, map);
    Value x = operands.input(Sheet.batch(16, 32));
    sheet.check("16", sheet.at("m").matMul(x, operands.constant(32, 16)));
    Value y = operands.input(Sheet.batch(32, 16));
    sheet.check("of inputs", sheet.at("m").matMul(x, y));
    return sheet;
  }

  @Test
  void otherNumbersAreRoundedFirst() {
    Sheet exact = product(v -> v);
    Sheet rounded = product(TensorProductTest::tf32);
    try (Rig rig = rig()) {
      List<Tensor> got = rig.run(exact.graph(), List.of(exact.inputs(1))).getFirst();
      List<Tensor> expected = Interpreter.run(rounded.graph(), rounded.inputs(1));
      List<Tensor> unrounded = Interpreter.run(exact.graph(), exact.inputs(1));
      for (int i = 0; i < got.size(); i++) {
        assertThat(Tolerance.difference(expected.get(i), got.get(i), 1e-6)).isEmpty();
        assertThat(Tolerance.difference(unrounded.get(i), got.get(i), 1e-6)).isPresent();
        assertThat(Tolerance.difference(unrounded.get(i), got.get(i), 1e-3)).isEmpty();
      }
    }
  }

  @Test
  void nansAndInfinitiesComeThrough() {
    Sheet sheet = product(v -> v > 2 ? Double.POSITIVE_INFINITY : v < -2 ? Double.NaN : tf32(v));
    try (Rig rig = rig()) {
      assertThat(sheet.differences(rig, sheet.graph(), _ -> 1e-5)).isEmpty();
    }
  }
}
