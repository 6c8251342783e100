package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Results whose sizes follow from data: known for constants and for the small inputs of a request.
class DataSizeOpsTest {
  private static Tensor tensor(ElementType type, long[] shape, double... values) {
    return SmallTensors.of(type, shape, values);
  }

  /// The outputs of a model, whether sizes are planned at their largest or it is built for the
  /// values of its inputs.
  private static List<Tensor> run(TestModel model, Map<String, Tensor> values) {
    List<Tensor> counted = run(model, values, true);
    List<Tensor> exact = run(model, values, false);
    for (int i = 0; i < exact.size(); i++) {
      assertThat(counted.get(i).shape()).isEqualTo(exact.get(i).shape());
      assertThat(counted.get(i).data().mismatch(exact.get(i).data())).isEqualTo(-1);
    }
    return exact;
  }

  private static List<Tensor> run(TestModel model, Map<String, Tensor> values, boolean counts) {
    var options = ImportOptions.defaults().withInputValues(values).withCountedSizes(counts);
    var imported = Importer.importWithValues(model.read(), options);
    List<Tensor> inputs =
        imported.graph().inputs().stream().map(input -> values.get(input.name())).toList();
    return imported.cuts().cut(Interpreter.run(imported.graph(), inputs));
  }

  private static TestModel model(String op, DataType type, String... dims) {
    return TestModel.opset(17).input("x", type, dims).node(op, "x", "y").output("y");
  }

  @Test
  void coordinatesComeRowByRow() {
    Tensor x = tensor(ElementType.F32, new long[] {2, 3}, 0, 1.5, Double.NaN, -2, -0.0, 1e-40);
    Tensor y = run(model("NonZero", DataType.FLOAT, "2", "3"), Map.of("x", x)).getFirst();
    assertThat(y.shape()).containsExactly(2, 4);
    assertThat(SmallTensors.integers(y)).containsExactly(0, 0, 1, 1, 1, 2, 0, 2);
  }

  @Test
  void aScalarHasNoAxesButIsThereOrNot() {
    TestModel model = model("NonZero", DataType.INT64);
    assertThat(run(model, Map.of("x", tensor(ElementType.I64, new long[0], 7))).getFirst().shape())
        .containsExactly(0, 1);
    assertThat(run(model, Map.of("x", tensor(ElementType.I64, new long[0], 0))).getFirst().shape())
        .containsExactly(0, 0);
  }

  /// As PyTorch writes `x[mask]`.
  @Test
  void elementsUnderAMaskAreTaken() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "2", "3")
            .input("mask", DataType.BOOL, "2", "3")
            .node("NonZero", "mask", "places")
            .node("Transpose", "places", "tuples")
            .node("GatherND", "x tuples", "y")
            .output("y");
    Tensor x = tensor(ElementType.F32, new long[] {2, 3}, 1, 2, 3, 4, 5, 6);
    Tensor mask = tensor(ElementType.BOOL, new long[] {2, 3}, 1, 0, 0, 0, 1, 1);
    Tensor y = run(model, Map.of("x", x, "mask", mask)).getFirst();
    assertThat(SmallTensors.reals(y)).containsExactly(1, 5, 6);
  }

  /// As older exports count the places of an open axis.
  @Test
  void whatFollowsFromSizesIsKnownAtLoad() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "4")
            .constant("one", 1)
            .constant("four", 4)
            .node("Expand", "one four", "ones")
            .node("NonZero", "ones", "places")
            .node("Gather", "x places", "y", attribute("axis", 1))
            .output("y");
    var graph = Importer.importModel(model.read(), ImportOptions.defaults());
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,1,4]");
  }

  @Test
  void whatOnlyTheRequestCouldTellNeedsItsValues() {
    assertThatThrownBy(() ->
            Importer.importModel(
                TestModel.opset(17)
                    .floats("x", "2", "3")
                    .node("Unique", "x", "y", attribute("axis", 0))
                    .output("y")
                    .read(),
                ImportOptions.defaults()))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("depends on data");
    assertThatThrownBy(() ->
            Importer.importModel(
                model("Unique", DataType.FLOAT, "N", "3").read(), ImportOptions.defaults()))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("fix the batch");
  }

  @Test
  void slicesUnderAConditionAreKept() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "2", "3")
            .input("keep", DataType.BOOL, "2")
            .node("Compress", "x keep", "y", attribute("axis", -1))
            .node("Compress", "x keep", "z")
            .output("y")
            .output("z");
    Tensor x = tensor(ElementType.F32, new long[] {2, 3}, 1, 2, 3, 4, 5, 6);
    Tensor keep = tensor(ElementType.BOOL, new long[] {2}, 0, 1);
    List<Tensor> results = run(model, Map.of("x", x, "keep", keep));
    assertThat(results.getFirst().shape()).containsExactly(2, 1);
    assertThat(SmallTensors.reals(results.getFirst())).containsExactly(2, 5);
    assertThat(SmallTensors.reals(results.getLast())).containsExactly(2);
  }

  @Test
  void aConditionBeyondTheAxisIsRefused() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "2", "3")
            .input("keep", DataType.BOOL, "4")
            .node("Compress", "x keep", "y", attribute("axis", 0))
            .output("y");
    Tensor keep = tensor(ElementType.BOOL, new long[] {4}, 1, 0, 0, 1);
    ImportOptions options =
        ImportOptions.defaults().withInputValues(Map.of("keep", keep)).withCountedSizes(false);
    assertThatThrownBy(() -> Importer.importModel(model.read(), options))
        .hasMessageContaining("has a condition that is true at 3, beyond an axis of 2");
  }

  private static List<Tensor> unique(Tensor x, TestModel model) {
    return run(
        model.output("y").output("first").output("inverse").output("counts"), Map.of("x", x));
  }

  @Test
  void distinctElementsAreSorted() {
    TestModel model =
        TestModel.opset(17).floats("x", "2", "3").node("Unique", "x", "y first inverse counts");
    List<Tensor> results =
        unique(tensor(ElementType.F32, new long[] {2, 3}, 2, -1, 2, 5, -1, 2), model);
    assertThat(SmallTensors.reals(results.get(0))).containsExactly(-1, 2, 5);
    assertThat(SmallTensors.integers(results.get(1))).containsExactly(1, 0, 3);
    assertThat(SmallTensors.integers(results.get(2))).containsExactly(1, 0, 1, 2, 0, 1);
    assertThat(SmallTensors.integers(results.get(3))).containsExactly(2, 3, 1);
  }

  /// NaN is equal to itself, and zeros of either sign are equal.
  @Test
  void distinctElementsAreThoseThatDiffer() {
    TestModel model =
        TestModel.opset(17).floats("x", "7").node("Unique", "x", "y first inverse counts");
    double nan = Double.NaN;
    List<Tensor> results =
        unique(tensor(ElementType.F32, new long[] {7}, nan, 0, 1, -0.0, nan, 1, 1), model);
    assertThat(SmallTensors.reals(results.get(0))).containsExactly(0, 1, nan);
    assertThat(SmallTensors.integers(results.get(1))).containsExactly(1, 2, 0);
    assertThat(SmallTensors.integers(results.get(2))).containsExactly(2, 0, 1, 0, 2, 1, 1);
    assertThat(SmallTensors.integers(results.get(3))).containsExactly(2, 3, 2);
  }

  /// As many as there are elements, or one alone; and of two there may be both.
  @ParameterizedTest
  @CsvSource({"INT64, 5 3 9 -1, 4", "INT64, 7 7 7 7, 1", "BOOL, 1 0 1 1, 2", "UINT8, 0 255 0 3, 3"})
  void anyNumberOfElementsMayBeDistinct(DataType type, String elements, int distinct) {
    TestModel model =
        TestModel.opset(17).input("x", type, "4").node("Unique", "x", "y first inverse counts");
    ElementType own =
        type == DataType.BOOL
            ? ElementType.BOOL
            : type == DataType.UINT8 ? ElementType.U8 : ElementType.I64;
    double[] values = Arrays.stream(elements.split(" ")).mapToDouble(Double::parseDouble).toArray();
    List<Tensor> results = unique(tensor(own, new long[] {4}, values), model);
    assertThat(results.getFirst().element()).isEqualTo(own);
    assertThat(results.getFirst().elements()).isEqualTo(distinct);
  }

  @Test
  void distinctColumnsComeInTheOrderOfTheirFirstPlaces() {
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.INT64, "2", "4")
            .node(
                "Unique",
                "x",
                "y first inverse counts",
                attribute("axis", 1),
                attribute("sorted", 0));
    List<Tensor> results =
        unique(tensor(ElementType.I64, new long[] {2, 4}, 3, 1, 3, 3, 0, 2, 0, 9), model);
    assertThat(results.get(0).shape()).containsExactly(2, 3);
    assertThat(SmallTensors.integers(results.get(0))).containsExactly(3, 1, 3, 0, 2, 9);
    assertThat(SmallTensors.integers(results.get(1))).containsExactly(0, 1, 3);
    assertThat(SmallTensors.integers(results.get(2))).containsExactly(0, 1, 0, 2);
    assertThat(SmallTensors.integers(results.get(3))).containsExactly(2, 1, 1);
  }

  @Test
  void nothingHasNothingThatIsDistinct() {
    TestModel model =
        TestModel.opset(17).floats("x", "0").node("Unique", "x", "y first inverse counts");
    List<Tensor> results = unique(tensor(ElementType.F32, new long[] {0}), model);
    assertThat(results).allSatisfy(result -> assertThat(result.elements()).isZero());
  }
}
