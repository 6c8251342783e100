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
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    GraphBuilder builder = new GraphBuilder("units in the last place");
    Tensor values = Interpreter.allocate(ElementType.F32, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
      TensorView.of(values).realAt(i, (i - ELEMENTS / 2) * 201.0 / ELEMENTS);
    }
    Value x = builder.input("x", values.type());
    Expr expr = new Expr.Unary(function, Exprs.arg(0));
    Graph graph = builder.build(List.of(builder.lowering("f", "Test").elementwise(expr, x)));

    Tensor got;
    try (Rig rig = Writer.CPU.open()) {
      got = rig.run(graph, List.of(List.of(values))).getFirst().getFirst();
    }

    double worst = 0;
    double at = 0;
    for (int i = 0; i < ELEMENTS; i++) {
      double argument = TensorView.of(values).realAt(i);
      double expected = requireNonNull(exact.get(function)).applyAsDouble(argument);
      double apart = Math.abs(TensorView.of(got).realAt(i) - expected) / Math.ulp((float) expected);
      if (!(apart <= worst)) {
        worst = apart;
        at = argument;
      }
    }
    assertThat(worst).as("units in the last place of %s of %s", function, at).isLessThan(units);
  }
}
