package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lists and optionals: what a model does with them is done when it is imported.
class ListOpsTest {
  private static Graph imported(TestModel model) {
    return GraphCheck.check(Importer.importModel(model.read(), ImportOptions.defaults()));
  }

  private static Tensor run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs)).getFirst();
  }

  private static Tensor row(float... values) {
    return Tensor.of(values, 1, values.length);
  }

  /// Inputs `a`, `b` and `c` of one row per member of the batch, and numbers.
  private static TestModel model() {
    TestModel model = TestModel.opset(18).floats("a", "N", "2").floats("b", "N", "2");
    model.floats("c", "N", "2");
    for (int i = 0; i < 5; i++) {
      model.constant(Integer.toString(i), i);
      model.constant("-" + i, -i);
    }
    return model;
  }

  private static final Tensor A = row(1, 2);
  private static final Tensor B = row(3, 4);
  private static final Tensor C = row(5, 6);

  private static TestModel joined(TestModel model, String list) {
    return model.node("ConcatFromSequence", list, "y", attribute("axis", 1)).output("y");
  }

  @Test
  void aListIsItsTensorsInOrder() {
    TestModel model = joined(model().node("SequenceConstruct", "a b c", "l"), "l");
    assertThat(run(model, A, B, C).floats()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(imported(model).outputs().getFirst().type()).hasToString("f32[N,6]");
  }

  @Test
  void nothingIsLeftOfAListBehindTheImport() {
    TestModel model =
        model()
            .node("SequenceConstruct", "a b c", "l")
            .node("SequenceAt", "l -2", "m")
            .node("Neg", "m", "y")
            .output("y");
    assertThat(imported(model).nodes()).hasSize(1);
    assertThat(run(model, A, B, C).floats()).containsExactly(-3, -4);
  }

  @ParameterizedTest
  @CsvSource({"0, 5 1 3", "1, 1 5 3", "2, 1 3 5", "-1, 1 5 3", "-2, 5 1 3", "-, 1 3 5"})
  void aTensorIsPutAtItsPlace(String place, String firsts) {
    TestModel model = model().node("SequenceConstruct", "a b", "l");
    model.node("SequenceInsert", "l c " + place, "m");
    float[] all = run(joined(model, "m"), A, B, C).floats();
    assertThat("%.0f %.0f %.0f".formatted(all[0], all[2], all[4])).isEqualTo(firsts);
  }

  @ParameterizedTest
  @CsvSource({"0, 3 5", "1, 1 5", "2, 1 3", "-1, 1 3", "-3, 3 5", "-, 1 3"})
  void aTensorIsTakenFromItsPlace(String place, String firsts) {
    TestModel model = model().node("SequenceConstruct", "a b c", "l");
    model.node("SequenceErase", "l " + place, "m");
    float[] all = run(joined(model, "m"), A, B, C).floats();
    assertThat("%.0f %.0f".formatted(all[0], all[2])).isEqualTo(firsts);
  }

  @ParameterizedTest
  @CsvSource({
    "SequenceAt, l 3, '[-3, 2]'",
    "SequenceInsert, l a 4, '[-3, 3]'",
    "SequenceErase, l -4, '[-3, 2]'"
  })
  void aPlaceOutsideIsRefused(String op, String inputs, String bounds) {
    TestModel model = model().node("SequenceConstruct", "a b c", "l").node(op, inputs, "y");
    assertThatThrownBy(() -> imported(model.output("y")))
        .hasMessageContaining("is outside " + bounds);
  }

  @Test
  void aListGrowsInALoopThatIsCounted() {
    TestModel body =
        TestModel.body()
            .input("i", DataType.UNDEFINED)
            .input("go", DataType.UNDEFINED)
            .sequence("before")
            .node("Cast", "i", "f", attribute("to", DataType.FLOAT.getNumber()))
            .node("Add", "a f", "row")
            .node("SequenceInsert", "before row", "after")
            .output("go")
            .output("after");
    TestModel model =
        joined(
            model()
                .node("SequenceEmpty", "", "none")
                .node("Loop", "3 - none", "l", attribute("body", body)),
            "l");
    assertThat(run(model, A, B, C).floats()).containsExactly(1, 2, 2, 3, 3, 4);
  }

  /// As a scripted recurrent network has it: the last state is an output, and in the list.
  @Test
  void whatALoopHandsOnMayBeInItsListAsWell() {
    TestModel body =
        TestModel.body()
            .input("i", DataType.UNDEFINED)
            .input("go", DataType.UNDEFINED)
            .input("state", DataType.UNDEFINED)
            .sequence("before")
            .node("Add", "state a", "next")
            .node("SequenceInsert", "before next", "after")
            .output("go")
            .output("next")
            .output("after");
    TestModel model =
        joined(
            model()
                .node("SequenceEmpty", "", "none")
                .node("Loop", "3 - b none", "last l", attribute("body", body)),
            "l");
    assertThat(run(model, A, B, C).floats()).containsExactly(4, 6, 5, 8, 6, 10);
    assertThat(Interpreter.run(imported(model.output("last")), List.of(A, B, C)).getLast().floats())
        .containsExactly(6, 10);
  }

  @Test
  void aLoopThatOnlyTheRequestCountsNamesTheList() {
    TestModel body =
        TestModel.body()
            .input("i", DataType.UNDEFINED)
            .input("go", DataType.UNDEFINED)
            .sequence("before")
            .node("SequenceInsert", "before a", "after")
            .output("go")
            .output("after");
    TestModel model =
        model()
            .input("count", DataType.INT64)
            .node("SequenceEmpty", "", "none")
            .node("Loop", "count - none", "l", attribute("body", body));
    assertThatThrownBy(() -> imported(joined(model, "l")))
        .hasMessageContaining(
            "carries a list of tensors, so that the number of iterations must be");
    Map<String, Tensor> count = Map.of("count", Tensor.of(new long[] {2}));
    Graph graph =
        Importer.importModel(model.read(), ImportOptions.defaults().withInputValues(count));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,4]");
  }

  private static TestModel chosen(String then, String otherwise) {
    return joined(
        model()
            .input("which", DataType.BOOL)
            .node(
                "If",
                "which",
                "l",
                attribute(
                    "then_branch",
                    TestModel.body().node("SequenceConstruct", then, "t").output("t")),
                attribute(
                    "else_branch",
                    TestModel.body().node("SequenceConstruct", otherwise, "e").output("e"))),
        "l");
  }

  @ParameterizedTest
  @CsvSource({"true, 1 2 3 4", "false, 5 6 1 2"})
  void branchesGiveListsOfOneLength(boolean which, String expected) {
    Tensor truth = Tensor.of(new boolean[] {which});
    float[] all = run(chosen("a b", "c a"), A, B, C, truth).floats();
    assertThat("%.0f %.0f %.0f %.0f".formatted(all[0], all[1], all[2], all[3])).isEqualTo(expected);
  }

  @Test
  void branchesOfOtherLengthsNeedTheCondition() {
    assertThatThrownBy(() -> imported(chosen("a b", "c")))
        .hasMessageContaining("so that the condition 'which' must be known at load");
  }

  @ParameterizedTest
  @CsvSource({
    "-, 0, f32[N]",
    "-, 1, 'f32[N,1]'",
    "1, 0, f32[N]",
    "1, 1, 'f32[N,1]'",
    "2, 0, 'f32[N,2]'"
  })
  void aTensorIsSplitIntoPartsOfOneSize(String size, long keeps, String type) {
    TestModel model =
        model()
            .floats("wide", "N", "5")
            .node("Squeeze", size.equals("-") ? "1" : size, "size")
            .node(
                "SplitToSequence",
                "wide " + (size.equals("-") ? "-" : "size"),
                "l",
                attribute("axis", -1),
                attribute("keepdims", keeps))
            .node("SequenceAt", "l 1", "y")
            .node("SequenceLength", "l", "n")
            .output("y")
            .output("n");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString(type);
    Tensor wide = row(1, 2, 3, 4, 5);
    List<Tensor> results = Interpreter.run(graph, List.of(A, B, C, wide));
    assertThat(results.getFirst().floats()[0]).isEqualTo(size.equals("2") ? 3 : 2);
    assertThat(results.get(1).longs()).containsExactly(size.equals("2") ? 3 : 5);
  }

  @Test
  void partsOfGivenSizesFillTheAxis() {
    TestModel model =
        model()
            .floats("wide", "N", "5")
            .constant("sizes", 1, 0, 4)
            .node("SplitToSequence", "wide sizes", "l", attribute("axis", 1))
            .node("SequenceAt", "l 2", "y")
            .output("y");
    assertThat(run(model, A, B, C, row(1, 2, 3, 4, 5)).floats()).containsExactly(2, 3, 4, 5);
    TestModel ones =
        model()
            .floats("wide", "N", "2")
            .constant("sizes", 1, 1)
            .node(
                "SplitToSequence",
                "wide sizes",
                "l",
                attribute("axis", 1),
                attribute("keepdims", 0))
            .node("SequenceAt", "l 0", "y")
            .output("y");
    assertThat(imported(ones).outputs().getFirst().type()).hasToString("f32[N,1]");
    TestModel few =
        model()
            .constant("sizes", 1, 2)
            .node("SplitToSequence", "a sizes", "l", attribute("axis", 1))
            .node("SequenceAt", "l 0", "y")
            .output("y");
    assertThatThrownBy(() -> imported(few))
        .hasMessageContaining("splits axis 1 of f32[N,2] into [1, 2]");
  }

  @Test
  void rowsOfTheBatchAreAListOnceItIsFixed() {
    TestModel model = joined(model().node("SplitToSequence", "a", "l"), "l");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("so that the batch says how many parts there are; fix the batch");
  }

  @Test
  void aListHoldsTensorsOfOneTypeAlone() {
    TestModel lists =
        model()
            .node("SequenceConstruct", "a b", "l")
            .node("SequenceConstruct", "l l", "m")
            .node("SequenceLength", "m", "y")
            .output("y");
    assertThatThrownBy(() -> imported(lists))
        .hasMessageContaining("puts a list of 2 tensors into a list, which holds tensors alone");
    TestModel body =
        TestModel.body()
            .input("x", DataType.UNDEFINED)
            .node("SequenceConstruct", "x", "inner")
            .output("inner");
    TestModel mapped =
        model()
            .node("SequenceConstruct", "a b", "l")
            .node("SequenceMap", "l", "m", attribute("body", body))
            .node("SequenceLength", "m", "y")
            .output("y");
    assertThatThrownBy(() -> imported(mapped))
        .hasMessageContaining("puts a list of 1 tensors into a list");
    TestModel types =
        model().node("SequenceConstruct", "a 1", "l").node("SequenceLength", "l", "y").output("y");
    assertThatThrownBy(() -> imported(types))
        .hasMessageContaining("makes a list of f32[N,2] and i64[1], which must have one");
  }

  @Test
  void anAxisOfMorePartsThanAListHoldsIsRefused() {
    TestModel model =
        TestModel.opset(18).floats("x", "9999999999").node("SplitToSequence", "x", "l");
    assertThatThrownBy(() -> imported(model.node("SequenceLength", "l", "y").output("y")))
        .hasMessageContaining("splits into 9999999999 parts, more than 4096");
  }

  @Test
  void aBodyIsAppliedToEachTensor() {
    TestModel body =
        TestModel.body()
            .input("x", DataType.UNDEFINED)
            .input("other", DataType.UNDEFINED)
            .input("one", DataType.UNDEFINED)
            .node("Mul", "x other", "product")
            .node("Add", "product one", "sum")
            .output("sum");
    TestModel model =
        joined(
            model()
                .node("SequenceConstruct", "a b", "l")
                .node("SequenceConstruct", "b c", "m")
                .node("SequenceMap", "l m c", "s", attribute("body", body)),
            "s");
    assertThat(run(model, A, B, C).floats()).containsExactly(8, 14, 20, 30);
    TestModel uneven =
        model()
            .node("SequenceConstruct", "a b", "l")
            .node("SequenceConstruct", "b", "m")
            .node("SequenceMap", "l m c", "s", attribute("body", body));
    assertThatThrownBy(() -> imported(joined(uneven, "s")))
        .hasMessageContaining("has a list of 1 tensors as input 1, together with one of 2");
  }

  /// Each of which makes 4,096 nodes of one.
  @Test
  void aListThatIsTakenApartForEverIsRefused() {
    TestModel model =
        TestModel.opset(18).floats("wide", "4096", "1").node("SplitToSequence", "wide", "l");
    for (int i = 0; i < 1000; i++) {
      model.node(
          "ConcatFromSequence", "l", "y" + i, attribute("axis", 0), attribute("new_axis", 1));
    }
    assertThatThrownBy(() -> imported(model.output("y0")))
        .hasMessageContaining("500,000th node to be looked at")
        .hasMessageContaining("take fewer lists apart");
  }

  /// Bodies of no node, 4,096 times 4,096 times.
  @Test
  void bodiesThatAreWrittenOutForEverAreRefused() {
    TestModel inner = TestModel.body().input("y", DataType.UNDEFINED).output("y");
    TestModel body =
        TestModel.body()
            .input("x", DataType.UNDEFINED)
            .node("SequenceMap", "l", "-", attribute("body", inner))
            .output("x");
    TestModel model =
        TestModel.opset(18)
            .floats("wide", "4096")
            .node("SplitToSequence", "wide", "l")
            .node("SequenceMap", "l", "s", attribute("body", body))
            .node("SequenceLength", "s", "n")
            .output("n");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("500,000th node to be looked at, which is the most");
  }

  @Test
  void tensorsAreStackedAlongANewAxis() {
    TestModel model =
        model()
            .node("SequenceConstruct", "a b c", "l")
            .node("ConcatFromSequence", "l", "y", attribute("axis", -1), attribute("new_axis", 1))
            .output("y");
    assertThat(imported(model).outputs().getFirst().type()).hasToString("f32[N,2,3]");
    assertThat(run(model, A, B, C).floats()).containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void anOptionalIsItsValueOrNone() {
    TestModel model =
        model()
            .node("Optional", "a", "some")
            .node("Optional", "", "none")
            .node("OptionalHasElement", "some", "has")
            .node("OptionalHasElement", "none", "hasNot")
            .node("OptionalGetElement", "some", "y")
            .output("has")
            .output("hasNot")
            .output("y");
    List<Tensor> results = Interpreter.run(imported(model), List.of(A, B, C));
    assertThat(results.get(0).booleans()).containsExactly(true);
    assertThat(results.get(1).booleans()).containsExactly(false);
    assertThat(results.get(2).floats()).containsExactly(1, 2);
    TestModel empty = model().node("Optional", "", "none").node("OptionalGetElement", "none", "y");
    assertThatThrownBy(() -> imported(empty.output("y")))
        .hasMessageContaining("takes the value of an optional that has none");
  }

  @Test
  void anOperatorOfTensorsTakesNoList() {
    TestModel model =
        model().node("SequenceConstruct", "a b", "l").node("Shape", "l", "y").output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("input 0 'l' is a list of 2 tensors, and must be a tensor");
    TestModel tensor = model().node("SequenceLength", "a", "y").output("y");
    assertThatThrownBy(() -> imported(tensor))
        .hasMessageContaining("input 0 'a' is no list of tensors");
  }

  @Test
  void requestsHaveNoFormForLists() {
    TestModel output = model().node("SequenceConstruct", "a b", "l").output("l");
    assertThatThrownBy(() -> imported(output))
        .hasMessageContaining("output 'l': is a list of tensors, for which requests have no form");
    TestModel input = model().sequence("l").node("SequenceLength", "l", "n").output("n");
    assertThatThrownBy(() -> imported(input))
        .hasMessageContaining("input 'l': is a list of tensors, for which requests have no form");
    TestModel neither = model().untyped("u").node("Relu", "u", "y").output("y");
    assertThatThrownBy(() -> imported(neither))
        .hasMessageContaining("input 'u': declares no type: set one, as onnx.helper.");
  }

  @Test
  void tensorsOfOtherTypesAreNoList() {
    TestModel model =
        model().node("SequenceConstruct", "a", "l").node("SequenceInsert", "l 1", "m");
    assertThatThrownBy(() -> imported(joined(model, "m")))
        .hasMessageContaining("puts i64[1] into a list of f32[N,2]");
  }
}
