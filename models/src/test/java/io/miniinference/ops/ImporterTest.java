package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.ops.node.NegativeSize;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImporterTest {

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  /// The nodes as text, without where they came from.
  private static List<String> nodes(Graph graph) {
    return Arrays.stream(GraphText.print(graph).split("\n"))
        .map(String::strip)
        .filter(line -> line.startsWith("%"))
        .map(line -> line.substring(0, line.indexOf(" from ")))
        .toList();
  }

  @Test
  void anElementwiseOperatorIsAnExpression() {
    Graph graph =
        imported(TestModel.opset(13).floats("x", "N", "3").node("Relu", "x", "y").output("y"));
    assertThat(nodes(graph)).containsExactly("%y: f32[N,3] = elementwise(%x) { max(a0, 0.0) }");
    assertThat(graph.isBatchable()).isTrue();
  }

  /// A reduction of all elements would be one work-group's, whatever their number.
  @Test
  void theExtremesOfADynamicQuantisationAreThoseOfItsRows() {
    Graph graph =
        imported(
            TestModel.opset(13)
                .floats("x", "N", "3")
                .node("DynamicQuantizeLinear", "x", "y scale zero")
                .output("y"));
    assertThat(nodes(graph))
        .filteredOn(node -> node.contains("reduce"))
        .extracting(node -> node.substring(node.indexOf(':') + 2, node.indexOf(" = ")))
        .containsExactlyInAnyOrder("f32[N]", "f32[N]", "f32[]", "f32[]");
  }

  @Test
  void aLoneSymbolOnAxis0IsTheBatchWhateverItsName() {
    Graph graph =
        imported(
            TestModel.opset(13)
                .floats("x", "batch_size", "3")
                .floats("z", "batch_size", "1")
                .node("Add", "x z", "y")
                .output("y"));
    assertThat(graph.inputs())
        .extracting(v -> v.type().toString())
        .containsExactly("f32[N,3]", "f32[N,1]");
  }

  @Test
  void aFurtherSymbolMustBeGivenAndTheErrorNamesIt() {
    TestModel model =
        TestModel.opset(13).floats("x", "N", "length").node("Relu", "x", "y").output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("'length' on axis 1")
        .hasMessageContaining("--dim length=VALUE");
    Graph graph =
        Importer.importModel(model.read(), ImportOptions.defaults().withDims(Map.of("length", 7L)));
    assertThat(graph.inputs().getFirst().type()).hasToString("f32[N,7]");
  }

  /* As some exporters name both axes of a text. */
  @Test
  void aLaterAxisOfTheBatchesNameIsAnotherSize() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "batch", "batch")
            .floats("mask", "batch", "batch")
            .node("Add", "x mask", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("'batch[1]' on axis 1");
    Map<String, Long> given = Map.of("batch[1]", 7L);
    Graph graph = Importer.importModel(model.read(), ImportOptions.defaults().withDims(given));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,7]");
    DeclaredTypes declared = DeclaredTypes.of(model.read(), Map.of());
    assertThat(declared.batch()).contains("batch");
    assertThat(declared.inputs().getLast().dims())
        .containsExactly(new Dimension.Batch(1), new Dimension.Open("batch[1]"));
  }

  @Test
  void anotherNameOnTwoAxesIsASquareAndNoBatch() {
    TestModel model =
        TestModel.opset(13)
            .floats("edges", "nodes", "nodes")
            .floats("x", "nodes", "3")
            .node("MatMul", "edges x", "y")
            .output("y");
    DeclaredTypes declared = DeclaredTypes.of(model.read(), Map.of());
    assertThat(declared.inputs().getFirst().dims())
        .containsExactly(new Dimension.Open("nodes"), new Dimension.Open("nodes"));
    Map<String, Long> given = Map.of("nodes", 5L);
    Graph graph = Importer.importModel(model.read(), ImportOptions.defaults().withDims(given));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[5,3]");
  }

  @Test
  void aDimensionThatNoInputHasIsAProblem() {
    TestModel model = TestModel.opset(13).floats("x", "N").node("Relu", "x", "y").output("y");
    ImportOptions options = ImportOptions.defaults().withDims(Map.of("M", 7L));
    assertThatThrownBy(() -> Importer.importModel(model.read(), options))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("dimension 'M': is given, but no input has it; open are [N]");
  }

  /// As Spring Boot makes of `dimensions.x[1]`.
  @Test
  void aDimensionWhoseBracketsWereReadAsAnIndexIsToldHowItIsWritten() {
    TestModel model = TestModel.opset(13).floats("x", "N", "3").node("Relu", "x", "y").output("y");
    ImportOptions options = ImportOptions.defaults().withDims(Map.of("x.1", 3L));
    assertThatThrownBy(() -> Importer.importModel(model.read(), options))
        .hasMessageContaining("a name with brackets stands in brackets: dimensions[x[1]]");
  }

  @Test
  void aDimensionThatTheFileFixesKeepsItsSize() {
    TestModel model = TestModel.opset(13).floats("x", "N", "3").node("Relu", "x", "y").output("y");
    ImportOptions same = ImportOptions.defaults().withDims(Map.of("x[1]", 3L));
    ImportOptions other = ImportOptions.defaults().withDims(Map.of("x[1]", 9L));
    assertThat(Importer.importModel(model.read(), same).outputs().getFirst().type())
        .hasToString("f32[N,3]");
    assertThatThrownBy(() -> Importer.importModel(model.read(), other))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("dimension 'x[1]': is given as 9, but the file has 3 there");
  }

  @Test
  void givenShapesMakeAllStatic() {
    TestModel model = TestModel.opset(13).floats("x", "?", "?").node("Relu", "x", "y").output("y");
    Graph graph =
        Importer.importModel(
            model.read(), ImportOptions.defaults().withInputShapes(Map.of("x", new long[] {2, 5})));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[2,5]");
  }

  @Test
  void shapeArithmeticKeepsTheBatchSymbol() {
    Graph graph =
        imported(
            TestModel.opset(13)
                .floats("x", "N", "4", "6")
                .constant("zero", 0)
                .constant("one", 1)
                .constant("rest", -1)
                .node("Shape", "x", "shape")
                .node("Slice", "shape zero one", "batch")
                .node("Concat", "batch rest", "target", attribute("axis", 0))
                .node("Reshape", "x target", "y")
                .output("y"));
    assertThat(nodes(graph)).containsExactly("%y: f32[N,24] = reshape(%x)");
  }

  @Test
  void allProblemsAreInOneError() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N", "3")
            .node("Frobnicate", "x", "a")
            .node("Frobnicate", "x", "b")
            .node("Befuddle", "a", "c")
            .node("Softmax", "x", "d", attribute("axes", 1))
            .node("Relu", "nobody", "e")
            .node("Add", "x", "f")
            .node("Softmax", "x", "g", attribute("axis", 5))
            .output("c")
            .output("missing");
    ModelException e = catchThrowableOfType(ModelException.class, () -> imported(model));
    assertThat(e.problems())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder(
            "operator 'Befuddle': is not supported, used by 1 node: '#2'",
            "operator 'Frobnicate': is not supported, used by 2 nodes: '#0', '#1'",
            "node '#3' (Softmax): has attribute 'axes', which Softmax does not have since opset 13;"
                + " it has [axis]",
            "node '#4' (Relu): reads 'nobody', which nothing makes",
            "node '#5' (Add): has 1 inputs, takes 2",
            "node '#6' (Softmax): axis 5 is outside [-2, 1]",
            "output 'missing': is made by no node");
  }

  @Test
  void anOperatorThatIsMissingNamesWhatItsAuthorCanDo() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N", "3")
            .node("MaxRoiPool", "x x", "a")
            .node("RandomNormalLike", "x", "b")
            .node("com.acme.Foo", "x", "c")
            .output("a");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("'#2'; it is none of ONNX's: write it with those")
        .hasMessageContaining("'#0'; take RoiAlign, which does not round the corners")
        .hasMessageContaining("'#1'; make random numbers an input of the model");
  }

  @ParameterizedTest
  @CsvSource({
    "QAttention, as its exporter wrote it",
    "NhwcFusedConv, take the model as it was before",
    "WhisperBeamSearch, 'serve that network, and choose in the client'",
    "extensions.DecodeImage, 'do that in the client, and take the model without it'"
  })
  void anOperatorOfOnnxRuntimeThatIsMissingNamesAFormThatIsServed(String op, String remedy) {
    TestModel model =
        TestModel.opset(13).floats("x", "N", "3").node("com.microsoft." + op, "x", "a").output("a");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining(remedy);
  }

  @ParameterizedTest
  @CsvSource({"Pad, 'x pads - axes'", "CenterCropPad, 'x pads'"})
  void anAxisIsPaddedOnceAtMost(String op, String inputs) {
    boolean crops = op.equals("CenterCropPad");
    TestModel model =
        TestModel.opset(18)
            .floats("x", "4", "5")
            .constant("pads", crops ? new long[] {3, 3} : new long[] {1, 1, 1, 1})
            .constant("axes", 1, -1)
            .node(
                op,
                inputs,
                "y",
                crops ? new AttributeProto[] {integers("axes", 1, -1)} : new AttributeProto[0])
            .output("y");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("names an axis twice: [1, -1]");
  }

  /// Requests bring them, if nothing else is wrong.
  @Test
  void openSizesAreNoProblemBesideOthers() {
    TestModel model =
        TestModel.opset(13).floats("x", "N", "length").node("Frobnicate", "x", "y").output("y");
    ModelException e = catchThrowableOfType(ModelException.class, () -> imported(model));
    assertThat(e.problems())
        .extracting(Object::toString)
        .containsExactly("operator 'Frobnicate': is not supported, used by 1 node: '#0'");
  }

  @Test
  void aCycleNamesBothEnds() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N")
            .node("Add", "x b", "a")
            .node("Relu", "a", "b")
            .output("b");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("node '#0' (Add): reads 'b', which the later node '#1' (Relu) makes");
  }

  @Test
  void aValueDefinedTwiceIsAProblem() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N")
            .node("Relu", "x", "y")
            .node("Neg", "x", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("value 'y': is defined twice, by node '#0' (Relu)")
        .hasMessageContaining("by node '#1' (Neg)");
  }

  @Test
  void anInputDeclaredTwiceIsAProblem() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N")
            .input("x", DataType.FLOAT8E4M3FNUZ, "N")
            .node("Relu", "x", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("value 'x': is defined twice, by input and by input");
  }

  @Test
  void anUnsupportedElementTypeIsNamed() {
    TestModel model =
        TestModel.opset(13)
            .input("x", DataType.COMPLEX64, "N")
            .node("Identity", "x", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("input 'x': has elements of type COMPLEX64, which is not supported");
  }

  @Test
  void anUnsupportedAttributeValueNamesNodeAndChoices() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N", "1", "4", "4")
            .node("MaxPool", "x", "y", attribute("auto_pad", "SOMEHOW"))
            .output("y");
    assertThatThrownBy(() -> imported(model)).hasMessageContaining("node '#0' (MaxPool)");
  }

  @Test
  void aShapeThatFollowsFromDataNeedsItsValue() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "6")
            .input("shape", DataType.INT64, "2")
            .node("Reshape", "x shape", "y")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("input 1 'shape' must be known at load")
        .hasMessageContaining("in inputs of at most 4,096 elements");
    var values = Map.of("shape", SmallTensors.of(ElementType.I64, new long[] {2}, 2L, 3L));
    var result =
        Importer.importWithValues(model.read(), ImportOptions.defaults().withInputValues(values));
    assertThat(result.specialisedOn()).containsExactly("shape");
    assertThat(result.graph().outputs().getFirst().type()).hasToString("f32[2,3]");
  }

  @Test
  void aSliceToTheEndOfTheBatchLeavesItOpen() {
    for (long end : new long[] {Integer.MAX_VALUE, Long.MAX_VALUE}) {
      TestModel model =
          TestModel.opset(13)
              .floats("x", "N", "3")
              .constant("first", 0)
              .constant("last", -1)
              .constant("end", end)
              .constant("start", -1 - end)
              .constant("back", -1)
              .node("Slice", "x first end first", "y")
              .node("Slice", "x last start first back", "z")
              .node("Slice", "x start end first", "w")
              .output("y")
              .output("z")
              .output("w");
      assertThat(imported(model).outputs())
          .allSatisfy(output -> assertThat(output.type()).hasToString("f32[N,3]"));
    }
  }

  @Test
  void aSliceOfAnEmptyAxisIsEmptyInEitherDirection() {
    for (long step : new long[] {1, 2, -1, -2}) {
      TestModel model =
          TestModel.opset(13)
              .floats("x", "2", "0")
              .constant("start", step > 0 ? 0 : -1)
              .constant("end", step > 0 ? Long.MAX_VALUE : Long.MIN_VALUE)
              .constant("axis", 1)
              .constant("step", step)
              .node("Slice", "x start end axis step", "y")
              .output("y");
      assertThat(imported(model).outputs().getFirst().type()).hasToString("f32[2,0]");
    }
  }

  private static Map<String, Tensor> whole(String name, long... values) {
    return Map.of(name, SmallTensors.of(ElementType.I64, new long[] {values.length}, values));
  }

  private static NegativeSize negative(TestModel model, Map<String, Tensor> values) {
    ImportOptions options = ImportOptions.defaults().withInputValues(values);
    return catchThrowableOfType(
            NegativeSizeException.class, () -> Importer.importModel(model.read(), options))
        .size();
  }

  @Test
  void aNegativeSizeIsTheFaultOfTheValuesThatAreGiven() {
    TestModel reshaping =
        TestModel.opset(13)
            .floats("x", "6")
            .input("s", DataType.INT64, "2")
            .node("Reshape", "x s", "y")
            .output("y");
    assertThat(negative(reshaping, whole("s", 3, -2)))
        .isEqualTo(new NegativeSize("#0", "Reshape", 1, 1, -2, null));
    TestModel tiling =
        TestModel.opset(13)
            .floats("x", "6", "1")
            .input("s", DataType.INT64, "2")
            .node("Neg", "s", "t")
            .node("Tile", "x t", "y")
            .node("Expand", "x t", "z")
            .output("y")
            .output("z");
    assertThat(negative(tiling, whole("s", -1, 7)))
        .isEqualTo(new NegativeSize("#1", "Tile", 1, 1, -7, null));
    TestModel expanding =
        TestModel.opset(13)
            .floats("x", "6", "1")
            .input("s", DataType.INT64, "1")
            .node("Expand", "x s", "y")
            .output("y");
    assertThat(negative(expanding, whole("s", -3)))
        .isEqualTo(new NegativeSize("#0", "Expand", 1, 0, -3, null));
    TestModel hot =
        TestModel.opset(13)
            .input("i", DataType.INT64, "3")
            .input("s", DataType.INT64, "1")
            .floats("v", "2")
            .node("OneHot", "i s v", "y")
            .output("y");
    assertThat(negative(hot, whole("s", -4)))
        .isEqualTo(new NegativeSize("#0", "OneHot", 1, 0, -4, null));
  }

  @Test
  void aNegativeSizeOfTheFileIsTheFaultOfTheModel() {
    TestModel model =
        TestModel.opset(13).constant("s", 3, -2).node("ConstantOfShape", "s", "y").output("y");
    assertThatThrownBy(() -> imported(model))
        .isNotInstanceOf(NegativeSizeException.class)
        .hasMessageContaining("node '#0' (ConstantOfShape): negative size -2 on axis 1");
  }

  @Test
  void aNegativeSizeInALoopTellsTheIteration() {
    TestModel body =
        TestModel.body()
            .input("i", DataType.UNDEFINED)
            .input("go", DataType.UNDEFINED)
            .input("c", DataType.UNDEFINED)
            .node("Sub", "s i", "d")
            .node("ConstantOfShape", "d", "z")
            .node("ReduceSum", "z", "r", attribute("keepdims", 0))
            .node("Add", "c r", "n")
            .node("Identity", "go", "more")
            .output("more")
            .output("n");
    TestModel model =
        TestModel.opset(13)
            .input("s", DataType.INT64, "1")
            .input("trips", DataType.INT64, "1")
            .floats("c0")
            .node("Loop", "trips - c0", "y", attribute("body", body))
            .output("y");
    Map<String, Tensor> values = new HashMap<>(whole("s", 2));
    values.putAll(whole("trips", 5));
    assertThat(negative(model, values))
        .isEqualTo(new NegativeSize("#1", "ConstantOfShape", 0, 0, -1, 3));
  }

  @Test
  void anIdentityOutputIsAViewUnderItsName() {
    Graph graph =
        imported(TestModel.opset(13).floats("x", "N", "3").node("Identity", "x", "y").output("y"));
    assertThat(nodes(graph)).containsExactly("%y: f32[N,3] = reshape(%x)");
  }

  /// As PyTorch's older exporter writes a network that gives a value twice.
  @Test
  void anOutputThatIsListedTwiceIsOne() {
    TestModel model =
        TestModel.opset(13)
            .floats("x", "N", "3")
            .node("Relu", "x", "y")
            .node("Identity", "y", "z")
            .output("y")
            .output("y")
            .output("z");
    assertThat(imported(model).outputs()).extracting(Value::name).containsExactly("y", "z");
    assertThat(DeclaredTypes.of(model.read(), Map.of()).outputs())
        .extracting(TensorSpec::name)
        .containsExactly("y", "z");
  }

  @Test
  void aNearestResizeAlongSeveralAxesMakesNothingBetweenThem() {
    Graph graph =
        imported(
            TestModel.opset(13)
                .floats("x", "1", "2", "4", "4")
                .constant("sizes", 1, 2, 8, 7)
                .node("Resize", "x - - sizes", "y")
                .output("y"));
    assertThat(graph.nodes()).hasSize(1);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[1,2,8,7]");
  }

  @Test
  void constantsOfShapesLeaveNoNodes() {
    Graph graph =
        imported(
            TestModel.opset(13)
                .floats("x", "N", "3")
                .constant("a", 3)
                .constant("b", 2)
                .node("Mul", "a b", "six")
                .node("ConstantOfShape", "six", "zeros")
                .node("Concat", "zeros zeros", "y", attribute("axis", 0))
                .output("y"));
    assertThat(graph.nodes()).isEmpty();
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[12]");
  }
}
