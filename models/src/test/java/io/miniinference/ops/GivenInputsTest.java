package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.draft.SymbolicTensor;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Graphs that are built for the values of one request, while the batch stays open.
class GivenInputsTest {
  private static Tensor longs(long... values) {
    return SmallTensors.of(ElementType.I64, new long[] {values.length}, values);
  }

  private static Importer.Imported imported(TestModel model, Map<String, Tensor> values) {
    return Importer.importWithValues(
        model.read(), ImportOptions.defaults().withInputValues(values));
  }

  /// As many zeros as the highest of `i` says, and `i` itself.
  private static TestModel highest() {
    return TestModel.opset(17)
        .input("i", DataType.INT64, "N")
        .node("ReduceMax", "i", "m")
        .node("ConstantOfShape", "m", "z")
        .node("Neg", "i", "y")
        .output("z")
        .output("y");
  }

  @Test
  void aSizeFollowsFromRowsAndTheBatchStaysASymbol() {
    var result = imported(highest(), Map.of("i", longs(3, 7, 2)));
    assertThat(result.graph().outputs())
        .extracting(output -> output.type().toString())
        .containsExactly("f32[7]", "i64[N]");
    assertThat(result.specialisedOn()).containsExactly("i");
  }

  @Test
  void valuesThatDecideOverNothingLeaveNoTrace() {
    TestModel model =
        TestModel.opset(17)
            .input("i", DataType.INT64, "N")
            .node("ReduceMax", "i", "m")
            .node("Add", "i m", "y")
            .output("y");
    var result = imported(model, Map.of("i", longs(3, 7)));
    assertThat(result.specialisedOn()).isEmpty();
    assertThat(result.graph().outputs().getFirst().type()).hasToString("i64[N]");
  }

  /// Whose rows they are cannot be told, so that they are not looked at.
  @Test
  void inputsOfAnotherBatchSizeAreNotGiven() {
    TestModel model =
        TestModel.opset(17)
            .input("k", DataType.INT64, "N")
            .input("i", DataType.INT64, "N")
            .node("ReduceMax", "i", "m")
            .node("ConstantOfShape", "m", "z")
            .node("Neg", "k", "y")
            .output("z")
            .output("y");
    assertThatThrownBy(() -> imported(model, Map.of("k", longs(1), "i", longs(1, 2))))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("depends on data");
    assertThat(imported(model, Map.of("k", longs(1, 1), "i", longs(1, 2))).specialisedOn())
        .containsExactly("i");
  }

  @Test
  void moreRowsThanSizesAreReadFromAreNotGiven() {
    long[] many = new long[SymbolicTensor.MAX_ELEMENTS + 1];
    Arrays.fill(many, 2);
    assertThatThrownBy(() -> imported(highest(), Map.of("i", longs(many))))
        .isInstanceOf(NeedsSpecialisation.class);
  }

  /// Durations of a voice are such sizes: they follow from few characters, by many numbers of each.
  @Test
  void aSizeThatFollowsByALargeValueIsRefusedForThat() {
    Map<String, Tensor> values = Map.of("i", longs(3, 7, 2));
    assertThat(imported(highestOf(SymbolicTensor.MAX_ELEMENTS / 3), values).specialisedOn())
        .containsExactly("i");
    assertThatThrownBy(() -> imported(highestOf(SymbolicTensor.MAX_ELEMENTS / 3 + 1), values))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("from which it follows by values of at most as many");
  }

  /// As many zeros as the highest of `i` says, each element of which is repeated.
  private static TestModel highestOf(long times) {
    return TestModel.opset(17)
        .input("i", DataType.INT64, "3")
        .constant("shape", times, 3)
        .node("Expand", "i shape", "many")
        .node("ReduceMax", "many", "m", attribute("keepdims", 0))
        .constant("one", 1)
        .node("Reshape", "m one", "size")
        .node("ConstantOfShape", "size", "z")
        .output("z");
  }

  /// A shape of as many axes as the batch has rows is none that a graph with an open batch has.
  @Test
  void rowsAreNoShape() {
    TestModel model =
        TestModel.opset(17)
            .input("s", DataType.INT64, "N")
            .node("ConstantOfShape", "s", "z")
            .output("z");
    assertThatThrownBy(() -> imported(model, Map.of("s", longs(2, 3))))
        .isInstanceOf(NeedsSpecialisation.class);
  }

  /// What is counted by the batch is known for one batch size alone, and no row tells which.
  @Test
  void aValueThatIsRepeatedForEachRowIsNotKnown() {
    TestModel model =
        TestModel.opset(17)
            .input("k", DataType.INT64, "1")
            .input("i", DataType.INT64, "N")
            .node("Shape", "i", "n")
            .node("Expand", "k n", "all")
            .node("ReduceSum", "all", "d")
            .node("ConstantOfShape", "d", "z")
            .output("z");
    assertThatThrownBy(() -> imported(model, Map.of("k", longs(3), "i", longs(1, 2))))
        .isInstanceOf(NeedsSpecialisation.class);
  }

  @Test
  void ofSeveralSymbolsOnAxis0TheOneNamedAsTheBatchIsIt() {
    for (String batch : new String[] {"N", "batch", "BATCH_size"}) {
      TestModel model =
          TestModel.opset(17)
              .floats("x", "M")
              .floats("w", batch)
              .node("Relu", "x", "y")
              .node("Relu", "w", "z")
              .output("y")
              .output("z");
      assertThatThrownBy(() -> imported(model, Map.of()))
          .isInstanceOf(NeedsSpecialisation.class)
          .hasMessageContaining("'M' on axis 0")
          .hasMessageNotContainingAny("'" + batch + "'");
      DeclaredTypes declared = DeclaredTypes.of(model.read(), Map.of());
      assertThat(declared.batch()).hasValue(batch);
      assertThat(declared.inputs())
          .filteredOn(TensorSpec::isByRows)
          .extracting("name")
          .containsExactly("w");
    }
    TestModel either = TestModel.opset(17).floats("x", "batch").floats("w", "N").output("x");
    DeclaredTypes declared = DeclaredTypes.of(either.read(), Map.of());
    assertThat(declared.batch()).isEmpty();
    assertThat(declared.inputs()).noneMatch(TensorSpec::isByRows);
  }
}
