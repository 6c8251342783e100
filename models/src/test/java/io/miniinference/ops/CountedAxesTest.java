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
import io.miniinference.signature.Cuts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Results of which only the device can tell how long they are: planned at their largest, cut when
/// they are read, and refused to operators that join what lies along them.
class CountedAxesTest {
  private static final float[] BOXES = {0, 0, 1, 1, 0, 0, 1, 0.9f, 3, 3, 4, 4, 6, 6, 7, 7};
  private static final float[] SCORES = {0.5f, 0.9f, 0.1f, 0.8f, 0.7f, 0.2f, 0.6f, 0.3f};

  /// Four boxes of an image, two classes.
  private static TestModel detector() {
    return detector("N");
  }

  private static TestModel detector(String images) {
    return TestModel.opset(17)
        .floats("boxes", images, "4", "4")
        .floats("scores", images, "2", "4")
        .constant("most", 3)
        .constant("zero", 0)
        .constant("one", 1)
        .constant("two", 2)
        .constant("three", 3)
        .constant("flat", -1)
        .halves("half", 1)
        .node("NonMaxSuppression", "boxes scores most half half", "chosen");
  }

  private static Importer.Imported imported(TestModel model) {
    return Importer.importWithValues(model.read(), ImportOptions.defaults());
  }

  private static Tensor run(TestModel model, float... scores) {
    Importer.Imported imported = imported(model.output("y"));
    Tensor boxes = Tensor.of(BOXES, 1, 4, 4);
    List<Tensor> all =
        Interpreter.run(imported.graph(), List.of(boxes, Tensor.of(scores, 1, 2, 4)));
    return imported.cuts().cut(all).getFirst();
  }

  @Test
  void thePlanHasRoomForTheLargest() {
    Importer.Imported imported = imported(detector().output("chosen"));
    assertThat(imported.graph().outputs())
        .extracting(value -> value.type().toString())
        .containsExactly("i64[6N,3]", "i64[]");
    assertThat(imported.cuts()).isEqualTo(new Cuts(1, List.of(new Cuts.Cut(0, 0, 1))));
    assertThat(imported.cuts().specs(imported.graph())).hasToString("[i64[chosen[0],3]]");
    assertThat(imported.graph().isBatchable()).isFalse();
  }

  @Test
  void triplesComeByImageClassAndScore() {
    Tensor y = run(detector().node("Identity", "chosen", "y"), SCORES);
    assertThat(y.shape()).containsExactly(4, 3);
    assertThat(SmallTensors.integers(y)).containsExactly(0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 1, 2);
  }

  @Test
  void thereMayBeNone() {
    Tensor y = run(detector().node("Identity", "chosen", "y"), new float[8]);
    assertThat(y.shape()).containsExactly(0, 3);
  }

  /// As YOLO's end-to-end exports end.
  @Test
  void rowsAreGatheredAndJoinedBesideEachOther() {
    TestModel model =
        detector()
            .node("Slice", "chosen zero one one", "image")
            .node("Slice", "chosen one two one", "class")
            .node("Gather", "chosen two", "box", attribute("axis", 1))
            .node("GatherND", "scores chosen", "score")
            .node("Unsqueeze", "score one", "column")
            .node("Concat", "image box", "pair", attribute("axis", 1))
            .node("GatherND", "boxes pair", "corners")
            .node("Cast", "class", "label", attribute("to", 1))
            .node("Mul", "corners half", "scaled")
            .node("Concat", "scaled label column", "y", attribute("axis", -1));
    Tensor y = run(model, SCORES);
    assertThat(y.shape()).containsExactly(4, 6);
    assertThat(row(y, 0)).containsExactly(0f, 0f, 0.5f, 0.45f, 0f, 0.9f);
    assertThat(row(y, 3)).containsExactly(1.5f, 1.5f, 2f, 2f, 1f, 0.6f);
    assertThat(run(model(), new float[8]).shape()).containsExactly(0, 6);
  }

  private static TestModel model() {
    return detector()
        .node("GatherND", "scores chosen", "score")
        .node("Reshape", "score columns", "column")
        .constant("columns", -1, 1)
        .constant("six", 1, 6)
        .node("Expand", "column six", "y");
  }

  private static List<Float> row(Tensor y, int row) {
    return java.util.stream.IntStream.range(row * 6, row * 6 + 6)
        .mapToObj(i -> (float) SmallTensors.real(y, i))
        .toList();
  }

  /// As PyTorch's older exporter writes `boxes[images, places]`.
  @Test
  void sizesSayHowRowsLie() {
    TestModel model =
        detector()
            .constant("four", 4)
            .constant("rows", -1, 4)
            .node("Gather", "chosen zero", "image", attribute("axis", 1))
            .node("Gather", "chosen two", "place", attribute("axis", 1))
            .node("Mul", "image four", "before")
            .node("Add", "before place", "number")
            .node("Reshape", "boxes rows", "table")
            .node("Shape", "number", "sizes")
            .node("Gather", "sizes zero", "length")
            .node("Concat", "length four", "shape", attribute("axis", 0))
            .node("Gather", "table number", "corners")
            .node("Reshape", "corners shape", "y");
    assertThat(run(model, SCORES).shape()).containsExactly(4, 4);
  }

  @Test
  void theSizeItselfIsWhatThereIs() {
    Tensor y = run(detector().node("Shape", "chosen", "y"), SCORES);
    assertThat(SmallTensors.integers(y)).containsExactly(4, 3);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "3, 3", "5, 4", "100, 4"})
  void theFirstRowsAreFewerOrAll(long first, long rows) {
    TestModel model =
        detector("1")
            .constant("first", first)
            .node("Slice", "chosen zero first zero", "some")
            .node("GatherND", "scores some", "y");
    assertThat(run(model, SCORES).shape()).containsExactly(rows);
    assertThat(run(model(), new float[8]).shape()).containsExactly(0, 6);
  }

  /// What a node could give besides is asked for by nobody.
  @Test
  void rowsOfAProductAreRows() {
    TestModel model =
        detector()
            .halves("weights", 4, 2)
            .node("Gather", "boxes zero", "image", attribute("axis", 0))
            .node("Squeeze", "image zero", "table")
            .node("Gather", "chosen two", "column", attribute("axis", 1))
            .node("Squeeze", "column one", "place")
            .node("Gather", "table place", "corners")
            .node("Dropout", "corners", "kept")
            .node("MatMul", "kept weights", "y");
    Tensor y = run(model, SCORES);
    assertThat(y.shape()).containsExactly(4, 2);
    assertThat(SmallTensors.reals(y)).containsExactly(0.95f, 0.95f, 13, 13, 1, 1, 7, 7);
  }

  /// An index that is filler means element 0, whatever was computed of it.
  @Test
  void fillerFailsNoRequest() {
    TestModel model =
        detector()
            .constant("hundred", 100)
            .node("Add", "chosen hundred", "far")
            .node("Gather", "boxes far", "y");
    assertThat(run(model, new float[8]).shape()).containsExactly(0, 3, 4, 4);
  }

  @Test
  void oneBoxOfOneClassIsTwoAtMost() {
    TestModel model =
        TestModel.opset(17)
            .floats("boxes", "1", "4", "4")
            .floats("scores", "1", "1", "4")
            .constant("one", 1)
            .constant("zero", 0)
            .node("NonMaxSuppression", "boxes scores one", "chosen")
            .node("Unsqueeze", "chosen zero", "y");
    Importer.Imported imported = imported(model.output("y"));
    List<Tensor> all =
        Interpreter.run(
            imported.graph(), List.of(Tensor.of(BOXES, 1, 4, 4), Tensor.of(new float[4], 1, 1, 4)));
    assertThat(imported.cuts().cut(all).getFirst().shape()).containsExactly(1, 1, 3);
    assertThat(imported.cuts().specs(imported.graph())).hasToString("[i64[1,y[1],3]]");
  }

  @ParameterizedTest
  @CsvSource({
    "'LpNormalization', 'chosen', 0",
    "'Slice', 'chosen back two zero', ",
    "'Reshape', 'six shape', ",
    "'Slice', 'chosen one two zero', ",
    "'Slice', 'chosen zero one zero', ",
    "'Tile', 'six shape', ",
    "'EyeLike', 'chosen', ",
    "'ConstantOfShape', 'chosen', ",
    "'Tile', 'chosen pair', ",
    "'Concat', 'chosen six', 1",
    "'Add', 'chosen six', ",
    "'MatMul', 'turned six', "
  })
  void whatJoinsRowsIsRefused(String op, String inputs, String axis) {
    TestModel model =
        detector("1")
            .constant("pair", 2, 1)
            .constant("back", -2)
            .input("six", DataType.INT64, "6", "3")
            .node("Transpose", "chosen", "turned")
            .node("Shape", "chosen", "shape")
            .output("y");
    model =
        axis == null
            ? model.node(op, inputs, op.equals("TopK") ? "y z" : "y")
            : model.node(op, inputs, "y", attribute("axis", Long.parseLong(axis)));
    TestModel refused = model;
    assertThatThrownBy(() -> imported(refused))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("(" + op + ")")
        .hasMessageContaining("which only the device can tell")
        .hasMessageContaining("make what it reads an output of the model");
  }

  @Test
  void aDivisorWouldBeFiller() {
    assertThatThrownBy(() ->
            imported(detector().node("Div", "six chosen", "y").constant("six", 6).output("y")))
        .hasMessageContaining("divides by integers");
  }

  @Test
  void whatIsCutMayLieBesideEachOther() {
    Tensor y = run(detector().node("Transpose", "chosen", "y"), SCORES);
    assertThat(y.shape()).containsExactly(3, 4);
    assertThat(SmallTensors.integers(y)).containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 0, 2);
  }

  @Test
  void theLargestNumberMustBeKnown() {
    TestModel model =
        TestModel.opset(11)
            .floats("boxes", "1", "4", "4")
            .floats("scores", "1", "2", "4")
            .input("most", DataType.INT64, "1")
            .node("NonMaxSuppression", "boxes scores most", "y", attribute("center_point_box", 1))
            .output("y");
    assertThatThrownBy(() -> imported(model)).isInstanceOf(NeedsSpecialisation.class);
    Tensor two = SmallTensors.of(ElementType.I64, new long[] {1}, 2L);
    var known =
        Importer.importWithValues(
            model.read(), ImportOptions.defaults().withInputValues(Map.of("most", two)));
    assertThat(known.graph().outputs().getFirst().type()).hasToString("i64[4,3]");
  }
}
