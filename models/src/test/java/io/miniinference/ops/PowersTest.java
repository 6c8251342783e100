package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Powers of a constant exponent.
final class PowersTest {
  private static final double[] BASES = {
    Double.NaN,
    Double.NEGATIVE_INFINITY,
    Double.POSITIVE_INFINITY,
    -0.0,
    0.0,
    1,
    -1,
    0.1f,
    -3.7f,
    1e-20f,
    1e15f
  };

  private static Graph power(int exponent, DataType base) {
    TestModel model =
        TestModel.opset(15)
            .input("x", base, "N")
            .constant("e", exponent)
            .node("Pow", "x e", "y")
            .output("y");
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 2, 3})
  void smallOnesAreProductsThatGiveWhatThePowerDoes(int exponent) {
    gives(power(exponent, DataType.FLOAT), exponent);
  }

  @Test
  void aHalfIsARootThatGivesWhatThePowerDoes() {
    TestModel model = TestModel.opset(15).floats("x", "N").halves("e");
    model.node("Pow", "x e", "y").output("y");
    gives(Importer.importModel(model.read(), ImportOptions.defaults()), 0.5);
  }

  /// As a local response normalisation takes it, and what else roots make.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6, -2})
  void quartersAreRootsThatGiveWhatThePowerDoes(int quarters) {
    TestModel model = TestModel.opset(15).floats("x", "N").constant("q", quarters).constant("4", 4);
    model.node("Cast", "q", "n", TestModel.attribute("to", DataType.FLOAT_VALUE));
    model.node("Cast", "4", "d", TestModel.attribute("to", DataType.FLOAT_VALUE));
    model.node("Div", "n d", "e").node("Pow", "x e", "y").output("y");
    gives(Importer.importModel(model.read(), ImportOptions.defaults()), quarters / 4.0, 2);
  }

  private static void gives(Graph graph, double exponent) {
    gives(graph, exponent, 1);
  }

  /* Within some units in the last place. */
  private static void gives(Graph graph, double exponent, int units) {
    assertThat(GraphText.print(graph)).doesNotContain("pow(");
    Tensor x = Interpreter.allocate(ElementType.F32, BASES.length);
    for (int i = 0; i < BASES.length; i++) {
      TensorView.of(x).realAt(i, BASES[i]);
    }

    TensorView y = TensorView.of(Interpreter.run(graph, List.of(x)).getFirst());

    for (int i = 0; i < BASES.length; i++) {
      float expected = (float) Math.pow(BASES[i], exponent);
      if (Float.isFinite(expected) && expected != 0) {
        assertThat(y.realAt(i)).isCloseTo(expected, within((double) units * Math.ulp(expected)));
      } else {
        assertThat((Float) (float) y.realAt(i)).isEqualTo((Float) expected);
      }
    }
  }

  @Test
  void anIntegersInverseIsItsPower() {
    assertThat(GraphText.print(power(-1, DataType.INT32))).contains("pow(");
  }
}
