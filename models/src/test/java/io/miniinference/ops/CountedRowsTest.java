package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What follows from rows that a mask chooses, planned at their largest, is what follows from them
/// in a graph that is made for one request, whose sizes are known.
class CountedRowsTest {
  private static final float[] X = {
    3, 1, 4, 1, -5, 9, 2, 6, 5, -3, 5, 8, 9, 7, -9, 3, 2, 3, 8, 4, 6, 2, 6, 4
  };

  /// Of six rows none, one, some and all; and, for what needs two of them, no fewer.
  private static final List<float[]> SCORES =
      List.of(
          new float[] {0, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f},
          new float[] {0, 0.1f, 0.9f, 0.3f, 0.4f, 0.5f},
          new float[] {0.6f, 0.1f, 0.2f, 0.9f, 0.7f, 0.3f},
          new float[] {0.9f, 0.8f, 0.6f, 0.8f, 0.7f, 0.6f});

  /// `rows` [k] of six, `kept` [k, 4], `scores` [k].
  private static TestModel base() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "6", "4")
            .floats("s", "6")
            .halves("half", 1)
            .halves("w", 4, 3)
            .constant("zero", 0)
            .constant("one", 1)
            .constant("two", 2)
            .constant("three", 3)
            .constant("far", Long.MAX_VALUE)
            .constant("back", -1)
            .constant("pair", 1, 4)
            .node("Greater", "s half", "mask");
    return rowsWhere(model, "mask", "")
        .node("Transpose", "at", "tuples")
        .node("Gather", "x rows", "kept")
        .node("GatherND", "s tuples", "scores")
        .node("Shape", "kept", "shape")
        .node("Gather", "shape zero", "count");
  }

  /// The places at which a mask is true, as NonZero gives them (`at`) and as indices (`rows`).
  ///
  /// @param number behind these names
  private static TestModel rowsWhere(TestModel m, String mask, String number) {
    return m.node("NonZero", mask, "at" + number)
        .node("Squeeze", "at" + number + " zero", "rows" + number);
  }

  private record Case(String name, int least, UnaryOperator<TestModel> model) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Arguments> cases() {
    return Stream.of(
            of("positions", m -> m.node("Identity", "at", "y")),
            of("of a matrix", m -> m.node("NonZero", "x", "y")),
            of("rows", m -> m.node("Identity", "kept", "y")),
            of("compressed", m -> m.node("Compress", "x mask", "y", attribute("axis", 0))),
            of("elements compressed", m -> m.node("Compress", "s mask", "y")),
            of("shape", m -> m.node("Identity", "shape", "y")),
            of("size", m -> m.node("Size", "kept", "y")),
            of(
                "computed with the size",
                m ->
                    m.node("Cast", "count", "real", attribute("to", 1)).node("Mul", "real s", "y")),
            of("sum", m -> m.node("ReduceSum", "kept zero", "y")),
            of("sum of all", m -> m.node("ReduceSum", "kept", "y")),
            of("sum across", m -> m.node("ReduceSum", "kept one", "y")),
            of("product", m -> m.node("ReduceProd", "kept", "y", integers("axes", 0))),
            of("norm", m -> m.node("ReduceL2", "kept", "y", integers("axes", 0, 1))),
            of("largest", 1, m -> m.node("ReduceMax", "kept", "y", integers("axes", 0))),
            of("least", 1, m -> m.node("ReduceMin", "rows", "y")),
            of("mean", 1, m -> m.node("ReduceMean", "kept", "y", integers("axes", 0))),
            of(
                "log of sum",
                1,
                m -> m.node("ReduceLogSumExp", "kept", "y", integers("axes", 0, 1))),
            of("where the largest is", 1, m -> m.node("ArgMax", "kept", "y")),
            of("where the least is", 1, m -> m.node("ArgMin", "scores", "y")),
            of("largest two", 2, m -> m.node("TopK", "scores two", "y z")),
            of("places of the least two", 2, m -> top(m, "two", 0).node("Identity", "z", "y")),
            of("sorted", m -> top(m, "count", 1).node("Gather", "kept z", "y")),
            of(
                "at most three",
                m ->
                    top(
                            m.node("Concat", "three count", "both", attribute("axis", 0))
                                .node("ReduceMin", "both", "few", attribute("keepdims", 0)),
                            "few",
                            1)
                        .node("Gather", "kept z", "y")),
            of("within a row", m -> m.node("TopK", "kept two", "y z")),
            of("running sums", m -> m.node("CumSum", "kept zero", "y")),
            of("softmax of rows", m -> m.node("Softmax", "kept", "y", attribute("axis", 1))),
            of("softmax", m -> m.node("Softmax", "kept", "y", attribute("axis", 0))),
            of("softmax of scores", m -> m.node("Softmax", "scores", "y")),
            of("its logarithm", m -> m.node("LogSoftmax", "kept", "y", attribute("axis", 0))),
            of("one at the largest", m -> m.node("Hardmax", "kept", "y", attribute("axis", 0))),
            of("product with a matrix", m -> m.node("MatMul", "kept w", "y")),
            of("product of a matrix with columns", CountedRowsTest::columns),
            of("products of stacks", m -> stacks(m).node("MatMul", "tall flat", "y")),
            of("one matrix for all of a stack", m -> stacks(m).node("MatMul", "v tall", "y")),
            of("joined", m -> m.node("Concat", "kept x kept", "y", attribute("axis", 0))),
            of("joined alike", m -> joined(m).node("Gather", "all places", "y")),
            of("first rows", m -> m.node("Slice", "kept zero two zero", "y")),
            of("but the first", m -> m.node("Slice", "kept one far zero", "y")),
            of("but the last", m -> m.node("Slice", "kept zero back zero", "y")),
            of("between", m -> m.node("Slice", "kept one three zero", "y")),
            of("up to their number", m -> m.node("Slice", "x zero count zero", "y")),
            of("all of them", m -> m.node("Slice", "kept zero count zero", "y")),
            of("from their number on", m -> m.node("Slice", "x count far zero", "y")),
            of("from behind their number", CountedRowsTest::fromBehind),
            of("the second part", m -> second(m, "").node("Identity", "part", "y")),
            of("of the same length", CountedRowsTest::ofSameLength),
            of("first one", 1, m -> m.node("Gather", "kept zero", "y")),
            of("last one", 1, m -> m.node("Gather", "kept back", "y")),
            of("flat", m -> m.node("Reshape", "kept back", "y")),
            of("in pairs", m -> m.constant("by", -1, 2).node("Reshape", "kept by", "y")),
            of("flattened", m -> m.node("Flatten", "kept", "y", attribute("axis", 0))),
            of(
                "flat and back",
                m -> m.node("Reshape", "kept back", "f").node("Reshape", "f shape", "y")),
            of("of a mask that is flat", 0, CountedRowsTest::ofFlat),
            of("of rows that are chosen", CountedRowsTest::ofChosen),
            of("expanded", m -> m.node("Expand", "half shape", "y")),
            of("expanded where asked", CountedRowsTest::expanded),
            of("filled", m -> m.node("ConstantOfShape", "shape", "y")),
            of("as many numbers", m -> numbers(m, "count")),
            of(
                "put back",
                m ->
                    m.node("Mul", "kept half", "halved").node("ScatterND", "x tuples halved", "y")),
            of("added", CountedRowsTest::added),
            of("put back where chosen", CountedRowsTest::putBack),
            of("beside as many ones", m -> longer(m).node("Identity", "sum", "y")),
            of(
                "beside as many ones, behind others",
                m ->
                    size(m.node("Concat", "x kept", "all", attribute("axis", 0)))
                        .node("Expand", "half size", "halves")
                        .node("Mul", "halves all", "y")),
            of("twice, and one between", CountedRowsTest::twice),
            of(
                "longer, flat and back",
                m -> longer(m).node("Reshape", "sum back", "f").node("Reshape", "f size", "y")),
            of("longer, and all of it", m -> longer(m).node("Slice", "sum zero n zero", "y")),
            of(
                "longer, and the rest of it",
                m -> longer(m).node("Slice", "sum count far zero", "y")),
            of("numbers of longer", m -> numbers(longer(m), "n")),
            of("added to what is there", CountedRowsTest::loops),
            of("as many as the mask", m -> mask(m, "mask", "n").node("Expand", "half n", "y")),
            of("stored where the mask is", CountedRowsTest::stored),
            of("as many as a mask of those", CountedRowsTest::maskOfChosen),
            of(
                "rows stored where the mask is",
                m -> storedRows(m).node("ScatterND", "x at2 flat", "y")),
            of(
                "as many of them as there are places",
                m ->
                    storedRows(m)
                        .node("Shape", "at2", "shape2")
                        .node("Gather", "shape2 zero", "places")
                        .node("Slice", "flat zero places zero", "values")
                        .node("ScatterND", "x at2 values", "y")),
            of("a number stored in rows", CountedRowsTest::storedNumber),
            of("elements stored where a mask is", CountedRowsTest::storedElements),
            of("places of a flag for each row", m -> flags(m).node("NonZero", "flags", "y")),
            of(
                "elements of rows that are chosen by a flag",
                m ->
                    flags(m)
                        .node("Unsqueeze", "flags one", "column")
                        .node("Expand", "column shape", "wide")
                        .node("NonZero", "wide", "y")),
            of("product along rows", m -> turned(m).node("MatMul", "turned kept", "y")),
            of(
                "the same of turned ones",
                m -> m.node("Gemm", "kept kept", "y", attribute("transA", 1))),
            of("product of vectors", m -> m.node("MatMul", "scores scores", "y")),
            of("boxes", CountedRowsTest::boxes),
            of("boxes if any", CountedRowsTest::boxesIfAny),
            of("a number if any", CountedRowsTest::numberIfAny))
        .flatMap(
            it -> SCORES.stream().filter(s -> count(s) >= it.least).map(s -> Arguments.of(it, s)));
  }

  private static Case of(String name, UnaryOperator<TestModel> model) {
    return of(name, 0, model);
  }

  private static Case of(String name, int least, UnaryOperator<TestModel> model) {
    return new Case(name, least, model);
  }

  private static int count(float[] scores) {
    int count = 0;
    for (float score : scores) {
      count += score > 0.5f ? 1 : 0;
    }
    return count;
  }

  private static TestModel top(TestModel m, String k, long largest) {
    return m.node("Reshape", k + " one", "k")
        .node("TopK", "scores k", "t z", attribute("largest", largest));
  }

  /// Columns of which only the device can tell how many there are, as they are and turned.
  private static TestModel columns(TestModel m) {
    return m.node("Transpose", "kept", "turned")
        .halves("v", 3, 4)
        .node("MatMul", "v turned", "product")
        .node("Gemm", "v kept", "same", attribute("transB", 1))
        .node("Add", "product same", "y");
  }

  /// `tall` [k, 4, 1], `flat` [k, 1, 4].
  private static TestModel stacks(TestModel m) {
    return m.halves("v", 3, 4)
        .node("Unsqueeze", "kept two", "tall")
        .node("Unsqueeze", "kept one", "flat");
  }

  /// Two parts of different lengths, and places of the same two.
  private static TestModel joined(TestModel m) {
    return rowsWhere(m.node("Less", "s half", "others"), "others", "2")
        .node("Gather", "x rows2", "kept2")
        .node("Gather", "s rows2", "scores2")
        .node("Concat", "kept2 kept", "all", attribute("axis", 0))
        .node("Concat", "scores2 scores", "of", attribute("axis", 0))
        .node("Shape", "of", "number")
        .node("TopK", "of number", "sorted places");
  }

  /// From a place on that may be less than 0, and so count from the end.
  private static TestModel fromBehind(TestModel m) {
    return joined(m).node("Add", "count back", "from").node("Slice", "all from back zero", "y");
  }

  /// Of two parts of different lengths that are joined, the second, as PyTorch's `split` has it.
  private static TestModel second(TestModel m, String number) {
    return (number.isEmpty() ? joined(m) : m)
        .node("Shape", "kept2", "shape2" + number)
        .node("Gather", "shape2" + number + " zero", "count2" + number)
        .node("Add", "count2" + number + " count", "end" + number)
        .node("Slice", "all count2" + number + " end" + number + " zero", "part" + number);
  }

  private static TestModel ofSameLength(TestModel m) {
    return second(second(m, ""), "3").node("Add", "part part3", "y");
  }

  private static TestModel ofFlat(TestModel m) {
    TestModel masked = m.node("Reshape", "kept back", "flat").node("Greater", "flat half", "high");
    return rowsWhere(masked, "high", "2").node("Gather", "flat rows2", "y");
  }

  /// Rows of those that are chosen.
  private static TestModel high(TestModel m) {
    TestModel masked =
        m.node("Mul", "scores scores", "squared").node("Greater", "squared half", "high");
    return rowsWhere(masked, "high", "2");
  }

  private static TestModel ofChosen(TestModel m) {
    return high(m).node("Gather", "kept rows2", "y");
  }

  /// As PyTorch's exporter writes `expand(-1, 4)`.
  private static TestModel expanded(TestModel m) {
    return m.node("Concat", "count back", "sizes", attribute("axis", 0))
        .node("Equal", "sizes back", "is")
        .node("Where", "is pair sizes", "asked")
        .node("Unsqueeze", "scores one", "column")
        .node("Expand", "column asked", "y");
  }

  private static TestModel numbers(TestModel m, String number) {
    return m.node("Squeeze", number + " zero", "end")
        .node("Squeeze", "zero zero", "start")
        .node("Squeeze", "one zero", "step")
        .node("Range", "start end step", "y");
  }

  private static TestModel added(TestModel m) {
    return m.node("Unsqueeze", "rows one", "column")
        .node("Expand", "column shape", "where")
        .node("ScatterElements", "x where kept", "y", attribute("reduction", "add"));
  }

  /// As torchvision puts together what it has of several levels.
  private static TestModel putBack(TestModel m) {
    TestModel halved =
        high(m)
            .node("Gather", "kept rows2", "some")
            .node("Mul", "some half", "halved")
            .node("Greater", "squared half", "again");
    return rowsWhere(halved, "again", "3")
        .node("Unsqueeze", "rows3 one", "column")
        .node("Shape", "some", "size")
        .node("Expand", "column size", "where")
        .node("ConstantOfShape", "shape", "empty")
        .node("ScatterElements", "empty where halved", "y");
  }

  /// `n`, six more than there are, and `size` [n, 4].
  private static TestModel size(TestModel m) {
    return rowsOfFour(m.constant("six", 6).node("Add", "count six", "n"));
  }

  /// `size` [n, 4].
  private static TestModel rowsOfFour(TestModel m) {
    return m.constant("four", 4).node("Concat", "n four", "size", attribute("axis", 0));
  }

  private static TestModel longer(TestModel m) {
    return size(m.node("Concat", "kept x", "all", attribute("axis", 0)))
        .node("ConstantOfShape", "size", "nothing")
        .node("Add", "all nothing", "sum");
  }

  private static TestModel twice(TestModel m) {
    return m.node("Concat", "scores half scores", "all", attribute("axis", 0))
        .node("Mul", "count two", "both")
        .node("Add", "both one", "n")
        .node("Expand", "half n", "halves")
        .node("Mul", "all halves", "y");
  }

  /// As PyTorch Geometric adds loops to the edges that are none.
  private static TestModel loops(TestModel m) {
    return size(m)
        .constant("nodes", 0, 1, 2, 3, 4, 5)
        .node("Concat", "rows nodes", "ends", attribute("axis", 0))
        .node("Expand", "half n", "weights")
        .node("ConstantOfShape", "six", "none")
        .node("Expand", "ends n", "where")
        .node("ScatterElements", "none where weights", "sums", attribute("reduction", "add"))
        .node("Gather", "sums ends", "of")
        .node("Mul", "of weights", "y");
  }

  /// How many elements of a mask are true, as PyTorch's exporter counts them.
  private static TestModel mask(TestModel m, String mask, String number) {
    return m.node("Reshape", mask + " back", "is" + number)
        .node("Cast", "is" + number, "ones" + number, attribute("to", 7))
        .node("ReduceSum", "ones" + number, number, attribute("keepdims", 1));
  }

  /// `s[mask] = 0.5`
  private static TestModel stored(TestModel m) {
    return mask(m, "mask", "n")
        .node("Expand", "half n", "values")
        .node("ScatterND", "s tuples values", "y");
  }

  /// The places `at2` of all elements of the rows that a mask chooses, as PyTorch's exporters write
  /// `x[mask] = values`.
  private static TestModel places(TestModel m, String mask) {
    return m.node("Unsqueeze", mask + " one", "column")
        .node("Shape", "x", "shapeX")
        .node("Expand", "column shapeX", "wide")
        .node("NonZero", "wide", "of2")
        .node("Transpose", "of2", "at2");
  }

  private static TestModel storedRows(TestModel m) {
    return rowsOfFour(mask(places(m, "mask"), "mask", "n"))
        .node("Mul", "kept half", "halved")
        .node("Expand", "halved size", "values0")
        .node("Reshape", "values0 back", "flat");
  }

  /// `x[others] = 0.5`, of a mask by which nothing else is chosen.
  private static TestModel storedNumber(TestModel m) {
    return rowsOfFour(mask(places(m.node("Less", "s half", "others"), "others"), "others", "n"))
        .node("Expand", "half size", "values")
        .node("Reshape", "values back", "flat")
        .node("ScatterND", "x at2 flat", "y");
  }

  /// `x.masked_scatter(x > 0.5, -x)`
  private static TestModel storedElements(TestModel m) {
    return m.node("Greater", "x half", "high")
        .node("NonZero", "high", "of2")
        .node("Transpose", "of2", "at2")
        .node("Shape", "at2", "shape2")
        .node("Gather", "shape2 zero", "places")
        .node("Neg", "x", "other")
        .node("Reshape", "other back", "all")
        .node("Slice", "all zero places zero", "values")
        .node("ScatterND", "x at2 values", "y");
  }

  /// One element for all rows that there are.
  private static TestModel flags(TestModel m) {
    return m.node("Slice", "s zero one zero", "first")
        .node("Greater", "first half", "flag")
        .node("Expand", "flag count", "flags");
  }

  private static TestModel turned(TestModel m) {
    return m.node("Transpose", "kept", "turned");
  }

  private static TestModel maskOfChosen(TestModel m) {
    return mask(high(m), "high", "n")
        .node("Gather", "scores rows2", "some")
        .node("Expand", "half n", "halves")
        .node("Mul", "some halves", "y");
  }

  private static TestModel boxes(TestModel m) {
    return m.constant("front", 0)
        .constant("fronts", 0, 1)
        .node("Unsqueeze", "kept front", "boxes")
        .node("Unsqueeze", "scores fronts", "of")
        .constant("most", 5)
        .node("NonMaxSuppression", "boxes of most half", "chosen")
        .node("Gather", "chosen two", "column", attribute("axis", 1))
        .node("Squeeze", "column one", "keep")
        .node("Gather", "kept keep", "y");
  }

  /// As PyTorch's exporter writes torchvision's `batched_nms`.
  private static TestModel boxesIfAny(TestModel m) {
    TestModel some =
        TestModel.body()
            .constant("fronts", 0, 1)
            .node("Unsqueeze", "kept zero", "boxes")
            .node("Unsqueeze", "scores fronts", "of")
            .node("NonMaxSuppression", "boxes of far half", "chosen")
            .node("Gather", "chosen two", "column", attribute("axis", 1))
            .node("Squeeze", "column one", "left")
            .output("left");
    TestModel none =
        TestModel.body().constant("none").node("Identity", "none", "nothing").output("nothing");
    return m.node("ReduceProd", "shape", "elements", attribute("keepdims", 0))
        .node("Squeeze", "zero zero", "nil")
        .node("Equal", "elements nil", "empty")
        .node("If", "empty", "keep", attribute("then_branch", none), attribute("else_branch", some))
        .node("Slice", "keep zero three zero", "few")
        .node("Gather", "kept few", "y");
  }

  /// An If of other results stays one.
  private static TestModel numberIfAny(TestModel m) {
    TestModel some = TestModel.body().node("Add", "count two", "more").output("more");
    TestModel none = TestModel.body().node("Identity", "three", "same").output("same");
    return m.node("Squeeze", "count zero", "number")
        .node("Squeeze", "zero zero", "nil")
        .node("Greater", "number nil", "any")
        .node("If", "any", "y", attribute("then_branch", some), attribute("else_branch", none));
  }

  @ParameterizedTest(name = "{0}, {index}")
  @MethodSource("cases")
  void isWhatFollowsFromRowsThatAreKnown(Case it, float[] scores) {
    TestModel model = it.model.apply(base()).output("y");
    List<Tensor> inputs = List.of(Tensor.of(X, 6, 4), Tensor.of(scores, 6));
    Importer.Imported counted = Importer.importWithValues(model.read(), ImportOptions.defaults());
    ImportOptions known =
        ImportOptions.defaults()
            .withCountedSizes(false)
            .withInputValues(Map.of("x", inputs.get(0), "s", inputs.get(1)));
    Importer.Imported exact = Importer.importWithValues(model.read(), known);
    Tensor expected = exact.cuts().cut(Interpreter.run(exact.graph(), inputs)).getFirst();
    Tensor y = counted.cuts().cut(Interpreter.run(counted.graph(), inputs)).getFirst();
    assertThat(counted.specialisedOn()).isEmpty();
    assertThat(y.element()).isEqualTo(expected.element());
    assertThat(y.shape()).isEqualTo(expected.shape());
    assertThat(SmallTensors.reals(y)).isEqualTo(SmallTensors.reals(expected));
  }

  /// Behind what there is lies filler, which no index may name.
  @Test
  void anIndexIsHeldAgainstWhatThereIs() {
    TestModel model = base().node("Gather", "kept three", "y").output("y");
    Importer.Imported imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    Tensor x = Tensor.of(X, 6, 4);
    Tensor all = Tensor.of(SCORES.get(3), 6);
    assertThat(SmallTensors.reals(Interpreter.run(imported.graph(), List.of(x, all)).getFirst()))
        .containsExactly(9, 7, -9, 3);
    Tensor some = Tensor.of(SCORES.get(2), 6);
    assertThatThrownBy(() -> Interpreter.run(imported.graph(), List.of(x, some)))
        .isInstanceOf(DataFailure.class);
  }

  /// What cannot do with rows that are planned at their largest asks for the values of a request.
  @Test
  void otherNodesNeedTheValues() {
    TestModel model = base().node("EyeLike", "kept", "y").output("y");
    assertThatThrownBy(() -> Importer.importWithValues(model.read(), ImportOptions.defaults()))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("(EyeLike)")
        .hasMessageContaining("which only the device can tell");
  }

  @Test
  void noFewerThanNoneAreAskedFor() {
    TestModel model = base().node("TopK", "scores back", "y z").output("y");
    assertThatThrownBy(() -> Importer.importWithValues(model.read(), ImportOptions.defaults()))
        .hasMessageContaining("asks for the largest -1 elements");
  }

  @Test
  void aMaskOfTheFileIsKnownAtLoad() {
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.FLOAT, "3")
            .constant("mask", 1, 0, 1)
            .node("Cast", "mask", "is", attribute("to", 9))
            .node("Compress", "x is", "y")
            .output("y");
    Importer.Imported imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    assertThat(imported.graph().outputs().getFirst().type()).hasToString("f32[2]");
  }
}
