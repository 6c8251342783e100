package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Activations that are not computed as the standard writes them.
class ActivationOpsTest {
  private static final double[] VALUES = {
    -1e30, -300, -80, -20.5, -20, -5, -1, -1e-3, -1e-9, 0, 1e-9, 1e-3, 1, 5, 19.9, 20, 20.1, 40, 90,
    800, 1e30
  };

  private static Tensor mish(ElementType element, DataType type, double... values) {
    TestModel model =
        TestModel.opset(18)
            .input("x", type, Integer.toString(values.length))
            .node("Mish", "x", "y")
            .output("y");
    Graph graph = Importer.importModel(model.read(), ImportOptions.defaults());
    Tensor x = Interpreter.allocate(element, values.length);
    for (int i = 0; i < values.length; i++) {
      TensorView.of(x).realAt(i, values[i]);
    }
    return Interpreter.run(graph, List.of(x)).getFirst();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT", "DOUBLE"})
  void mishIsThatOfItsDefinitionFarOutAndNearZero(DataType type) {
    boolean isWide = type == DataType.DOUBLE;
    Tensor y = mish(isWide ? ElementType.F64 : ElementType.F32, type, VALUES);

    for (int i = 0; i < VALUES.length; i++) {
      double x = isWide ? VALUES[i] : (float) VALUES[i];
      double expected = x * Math.tanh(Math.log1p(Math.exp(x)));
      double unit = isWide ? Math.ulp(expected) : Math.ulp((float) expected);
      assertThat(TensorView.of(y).realAt(i))
          .as("Mish of %s", x)
          .isCloseTo(expected, within(8 * unit));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT", "DOUBLE"})
  void mishOfNoNumberIsNoNumber(DataType type) {
    ElementType element = type == DataType.DOUBLE ? ElementType.F64 : ElementType.F32;
    Tensor y = mish(element, type, Double.NaN, Double.POSITIVE_INFINITY);

    assertThat(TensorView.of(y).realAt(0)).isNaN();
    assertThat(TensorView.of(y).realAt(1)).isEqualTo(Double.POSITIVE_INFINITY);
  }
}
