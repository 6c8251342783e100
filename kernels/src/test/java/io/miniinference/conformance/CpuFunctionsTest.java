package io.miniinference.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.expr.RealMath;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ops.math.ActivationOps;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions of the CPU writer that are its own.
@Tag("opencl")
final class CpuFunctionsTest {
  private static final int ELEMENTS = 1 << 16;

  /// Functions that are written out for sixteen lanes, where they are not the library's.
  @ParameterizedTest
  @CsvSource({"SIN, 2", "COS, 2", "TAN, 4", "ERF, 2", "TANH, 3"})
  void functionsOfSixteenAreWithinAFewUnitsInTheLastPlace(Expr.UnaryOp function, int units) {
    Map<Expr.UnaryOp, DoubleUnaryOperator> exact =
        Map.of(
            Expr.UnaryOp.SIN, Math::sin,
            Expr.UnaryOp.COS, Math::cos,
            Expr.UnaryOp.TAN, Math::tan,
            Expr.UnaryOp.TANH, Math::tanh,
            Expr.UnaryOp.ERF, RealMath::erf);
    Expr expr = new Expr.Unary(function, Exprs.arg(0));
    assertWithin(units, expr, -100.5, requireNonNull(exact.get(function)));
  }

  /// Smaller ones are below the least normal number, and may be 0.
  @Test
  void sigmoidsAreWithinAFewUnitsInTheLastPlace() {
    Expr sigmoid = ActivationOps.sigmoid(ElementType.F32, Exprs.arg(0));
    assertWithin(3, sigmoid, -87, x -> 1 / (1 + Math.exp(-x)));
    Tensor small = Interpreter.allocate(ElementType.F32, 4);
    double[] values = {-88.5, -1000, Double.NEGATIVE_INFINITY, Double.NaN};
    for (int i = 0; i < values.length; i++) {
      TensorView.of(small).realAt(i, values[i]);
    }
    TensorView got = TensorView.of(run(sigmoid, small));
    assertThat(got.realAt(0)).isBetween(0.0, (double) Float.MIN_NORMAL);
    assertThat(got.realAt(1)).isZero();
    assertThat(got.realAt(2)).isZero();
    assertThat(got.realAt(3)).isNaN();
  }

  /// A division by a constant that is rounded then, as QuantizeLinear has it, is made of products.
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.0039196233, 3, 7.0e-5, 1.0 / 3, 255, 1.9999999, 8.5e12})
  void roundedQuotientsAreThoseOfADivision(double divisor) {
    Expr quotient = Exprs.div(Exprs.arg(0), Exprs.const_(ElementType.F32, divisor));
    Tensor values = Interpreter.allocate(ElementType.F32, ELEMENTS);
    TensorView view = TensorView.of(values);
    double[] edges = {
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.4e38, 1e-45
    };
    for (int i = 0; i < ELEMENTS; i++) {
      double half = (i - ELEMENTS / 2) / 2.0; // where a quotient is rounded either way
      double near = half * (float) divisor;
      float at = i < edges.length ? (float) edges[i] : (float) near;
      view.realAt(i, i % 3 == 0 ? at : i % 3 == 1 ? Math.nextUp(at) : Math.nextDown(at));
    }
    Tensor got = run(Exprs.round(quotient), values);
    for (int i = 0; i < ELEMENTS; i++) {
      float exact = (float) Math.rint((float) view.realAt(i) / (float) divisor);
      assertThat((float) TensorView.of(got).realAt(i) + 0f)
          .as("%s / %s", view.realAt(i), divisor)
          .isEqualTo(Float.valueOf(exact + 0f));
    }
  }

  /* At places from `least` on, over 201. */
  private static void assertWithin(
      int units, Expr function, double least, DoubleUnaryOperator exact) {
    Tensor values = Interpreter.allocate(ElementType.F32, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
      TensorView.of(values).realAt(i, least + i * 201.0 / ELEMENTS);
    }
    Tensor got = run(function, values);
    double worst = 0;
    double at = 0;
    for (int i = 0; i < ELEMENTS; i++) {
      double argument = TensorView.of(values).realAt(i);
      double expected = exact.applyAsDouble(argument);
      double apart = Math.abs(TensorView.of(got).realAt(i) - expected) / Math.ulp((float) expected);
      if (!(apart <= worst)) {
        worst = apart;
        at = argument;
      }
    }
    assertThat(worst).as("units in the last place at %s", at).isLessThan(units);
  }

  private static Tensor run(Expr function, Tensor values) {
    GraphBuilder builder = new GraphBuilder("units in the last place");
    Value x = builder.input("x", values.type());
    Graph graph = builder.build(List.of(builder.lowering("f", "Test").elementwise(function, x)));
    try (Rig rig = Writer.CPU.open()) {
      return rig.run(graph, List.of(List.of(values))).getFirst().getFirst();
    }
  }
}
