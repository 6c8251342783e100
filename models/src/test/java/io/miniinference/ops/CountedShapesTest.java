package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shapes that a file gives to rows of which only the device can tell how many there are: a number
/// that merely equals the most there may be is none of theirs.
class CountedShapesTest {
  private static final float[] BOXES = {0, 0, 1, 1, 0, 0, 1, 0.9f, 3, 3, 4, 4, 6, 6, 7, 7};

  /// Four boxes of an image, one class.
  private static TestModel detector(long most) {
    return TestModel.opset(17)
        .floats("boxes", "1", "4", "4")
        .floats("scores", "1", "1", "4")
        .constant("most", most)
        .constant("zero", 0)
        .constant("one", 1)
        .constant("two", 2)
        .constant("three", 3)
        .constant("flat", -1)
        .constant("ends", 0, 2)
        .halves("half", 1)
        .node("NonMaxSuppression", "boxes scores most half half", "chosen");
  }

  private static Importer.Imported imported(TestModel model) {
    return Importer.importWithValues(model.output("y").read(), ImportOptions.defaults());
  }

  /* Of boxes 0 and 2. */
  private static Tensor run(TestModel model, Tensor... more) {
    Importer.Imported imported = imported(model);
    Tensor scores = Tensor.of(new float[] {0.9f, 0, 0.8f, 0}, 1, 1, 4);
    List<Tensor> inputs = new ArrayList<>(List.of(Tensor.of(BOXES, 1, 4, 4), scores));
    inputs.addAll(List.of(more));
    return imported.cuts().cut(Interpreter.run(imported.graph(), inputs)).getFirst();
  }

  private static void isRefused(TestModel model, String op) {
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("(" + op + ")")
        .hasMessageContaining("which only the device can tell");
  }

  @ParameterizedTest
  @CsvSource({"3, -1", "3, 3"})
  void aNumberOfTheFileIsNotThatOfRows(long first, long second) {
    isRefused(
        detector(3).constant("shape", first, second).node("Reshape", "chosen shape", "y"),
        "Reshape");
  }

  @Test
  void norIsItWhereTheRestIsTheRows() {
    isRefused(
        detector(3)
            .constant("shape", -1, 3)
            .node("Transpose", "chosen", "turned")
            .node("Reshape", "turned shape", "laid")
            .node("Transpose", "laid", "y"),
        "Reshape");
    isRefused(
        detector(4)
            .constant("shape", 4, -1)
            .node("Gather", "chosen ends", "places", attribute("axis", 1))
            .node("GatherND", "boxes places", "corners")
            .node("Reshape", "corners shape", "y"),
        "Reshape");
  }

  /// Three rows of as many numbers as there are rows are not so many rows of three.
  @Test
  void theLengthElsewhereIsNotThatOfTheRows() {
    isRefused(sized("three length").node("Reshape", "chosen shape", "y"), "Reshape");
  }

  private static TestModel sized(String parts) {
    return detector(3)
        .node("Shape", "chosen", "sizes")
        .node("Gather", "sizes zero", "length")
        .node("Concat", parts, "shape", attribute("axis", 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"length three", "length flat", "flat three", "one length three"})
  void theLengthInItsPlaceIs(String parts) {
    Tensor y = run(sized(parts).node("Reshape", "chosen shape", "y"));
    assertThat(SmallTensors.integers(y)).containsExactly(0, 0, 0, 0, 0, 2);
    assertThat(y.shape()).endsWith(2, 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"length three", "flat length"})
  void theLengthOfOtherRowsIsNot(String parts) {
    TestModel model =
        detector(3)
            .node("NonMaxSuppression", "boxes scores most half", "others")
            .node("Shape", "others", "sizes")
            .node("Gather", "sizes zero", "length")
            .node("Concat", parts, "shape", attribute("axis", 0))
            .node("Reshape", "chosen shape", "y");
    isRefused(model, "Reshape");
  }

  @Test
  void rowsAreNotRepeated() {
    isRefused(detector(3).constant("s", 3, 3).node("Expand", "chosen s", "y"), "Expand");
  }

  @Test
  void norAreTheySpread() {
    TestModel model =
        detector(3)
            .constant("sizes", 3, 6)
            .node("Cast", "chosen", "numbers", attribute("to", 1))
            .node("Resize", "numbers - - sizes", "y");
    isRefused(model, "Resize");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void fewerIndicesThanRowsChooseOfUnknownOnes(long indices) {
    TestModel model =
        detector(3)
            .constant("shape", indices, 1)
            .node("Expand", "zero shape", "rows")
            .node("GatherElements", "chosen rows", "y", attribute("axis", 1));
    isRefused(model, "GatherElements");
  }

  private static TestModel branching(String output) {
    TestModel body = TestModel.body().output(output);
    return detector(3)
        .node("Shape", "chosen", "sizes")
        .input("c", DataType.BOOL)
        .node("If", "c", "y", attribute("then_branch", body), attribute("else_branch", body));
  }

  @Test
  void noBranchGivesThem() {
    isRefused(branching("chosen"), "If");
  }

  @Test
  void aBranchGivesTheirNumber() {
    Tensor y = run(branching("sizes"), SmallTensors.of(ElementType.BOOL, new long[0], 1L));
    assertThat(SmallTensors.integers(y)).containsExactly(2, 3);
  }

  @Test
  void anIterationGivesTheirNumber() {
    TestModel body =
        TestModel.body()
            .input("i", DataType.INT64)
            .input("c", DataType.BOOL)
            .input("x", DataType.UNDEFINED)
            .node("Identity", "c", "on")
            .node("Concat", "x x", "longer", attribute("axis", 0))
            .output("on")
            .output("longer")
            .output("sizes");
    TestModel model =
        detector(3)
            .node("Shape", "chosen", "sizes")
            .node("Loop", "two - zero", "z y", attribute("body", body));
    assertThat(SmallTensors.integers(run(model))).containsExactly(2, 3, 2, 3);
  }

  /// As what cuts nothing off gives what it takes.
  @ParameterizedTest
  @CsvSource({"Slice, numbers zero length zero, Mul", "Reshape, numbers length, Reshape"})
  void theirSizeIsNotThatOfOthers(String op, String inputs, String refused) {
    TestModel model =
        sized("length")
            .constant("numbers", 1, 2, 3)
            .node(op, inputs, "z")
            .node("Mul", "chosen z", "y");
    isRefused(model, refused);
  }

  /// A file may know of rows that they are so many, and no two planned sizes are what there is.
  @Test
  void rowsAreNotAddedToSoMany() {
    TestModel model =
        detector(4)
            .constant("two3", 2, 3)
            .node("ConstantOfShape", "two3", "others")
            .node("Cast", "chosen", "numbers", attribute("to", 1))
            .node("Add", "numbers others", "y");
    isRefused(model, "Add");
  }

  /// Twice three rows are as many as three rows and three more; other numbers of rows are not.
  @ParameterizedTest
  @CsvSource({"twice, Mul", "fewer, Expand"})
  void asManyMoreIsNotAsManyTimes(String number, String refused) {
    TestModel model =
        sized("length")
            .constant("shape3", 3, 3)
            .node("ConstantOfShape", "shape3", "others")
            .node("Cast", "chosen", "numbers", attribute("to", 1))
            .node("Concat", "numbers others", "all", attribute("axis", 0))
            .node("Mul", "length two", "twice")
            .node("Add", "length three", "more")
            .node("Min", "twice more", "fewer")
            .node("Concat", number + " three", "size", attribute("axis", 0))
            .node("Expand", "half size", "halves")
            .node("Mul", "all halves", "y");
    isRefused(model, refused);
  }

  @Test
  void whatIsCutAlikeIsOfOneLength() {
    TestModel model =
        detector(3)
            .node("GatherND", "scores chosen", "score")
            .node("Unsqueeze", "score one", "column")
            .node("Cast", "chosen", "numbers", attribute("to", 1))
            .node("Slice", "numbers zero two zero", "some")
            .node("Slice", "column zero two zero", "beside")
            .node("Concat", "some beside", "y", attribute("axis", 1));
    Tensor y = run(model);
    assertThat(y.shape()).containsExactly(2, 4);
    assertThat(SmallTensors.reals(y)).containsExactly(0, 0, 0, 0.9f, 0, 0, 2, 0.8f);
  }

  @Test
  void whatIsCutElsewhereIsNot() {
    TestModel model =
        detector(4)
            .node("Slice", "chosen zero two zero", "some")
            .node("Slice", "chosen zero three zero", "more")
            .node("Slice", "more zero two zero", "part")
            .node("Add", "some part", "y");
    isRefused(model, "Add");
  }

  @Test
  void rowsAreDividedByANumberOfTheRequest() {
    TestModel model = detector(3).input("w", DataType.INT64).node("Div", "chosen w", "y");
    Tensor two = SmallTensors.of(ElementType.I64, new long[0], 2L);
    assertThat(SmallTensors.integers(run(model, two))).containsExactly(0, 0, 0, 0, 0, 1);
  }

  /// A request with one row would lose the axis of rows.
  @Test
  void axesToLeaveOutAreGiven() {
    TestModel model =
        detector(3)
            .node("Gather", "chosen two", "column", attribute("axis", 1))
            .node("Squeeze", "column", "y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("(Squeeze): would leave out the axis of rows")
        .hasMessageContaining("give axes");
  }
}
