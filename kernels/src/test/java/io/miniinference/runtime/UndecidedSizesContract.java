package io.miniinference.runtime;

import static io.miniinference.runtime.EngineContract.floats;
import static io.miniinference.runtime.EngineContract.longs;
import static io.miniinference.runtime.EngineContract.shape;
import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Negative sizes in branches and loops of which only the device knows whether they are taken, and
/// how often they run: they fail the requests that come to them, in their place in the order of
/// execution, and no others.
abstract class UndecidedSizesContract extends EnginePerTest {
  private Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults());
  }

  private static List<String> failures(Model model, Tensor... inputs) {
    return reports(model, inputs).stream().map(FailureReport::message).toList();
  }

  private static List<FailureReport> reports(Model model, Tensor... inputs) {
    return catchThrowableOfType(
            RequestFailedException.class,
            () -> model.infer(EngineContract.request(inputs), _ -> true))
        .failures();
  }

  private static List<Float> result(Model model, Tensor... inputs) {
    return model.infer(
        EngineContract.request(inputs),
        outputs -> {
          List<Float> values = new ArrayList<>();
          var data = outputs.getFirst().data();
          for (long at = 0; at < data.byteSize(); at += Float.BYTES) {
            values.add(data.get(java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED, at));
          }
          return values;
        });
  }

  private long waits(Model model, Tensor... inputs) {
    DriverCalls before = engine().driverCalls();
    GatheredOperandContract.outcome(model, inputs);
    return engine().driverCalls().waits() - before.waits();
  }

  private static Tensor one(long value) {
    return longs(shape(1), value);
  }

  /// Larger than what the host looks at, so that only the device can tell what it adds up to.
  private static Tensor many(float sum) {
    float[] values = new float[5000];
    values[4321] = sum;
    return floats(shape(values.length), values);
  }

  private static LoopModels around() {
    return graph()
        .input("x", DataType.FLOAT, "5000")
        .input("h", DataType.FLOAT, "N")
        .input("i", DataType.INT64, "N")
        .input("k", DataType.INT64, "1")
        .floats("zero", new long[0], 0)
        .floats("four", new long[] {4}, 1, 2, 3, 4)
        .node("sum = ReduceSum x", attribute("keepdims", 0))
        .node("isPositive = Greater sum zero");
  }

  private static Tensor rows(float... values) {
    return floats(shape(values.length), values);
  }

  private static Tensor indices(long... values) {
    return longs(shape(values.length), values);
  }

  private static String index(String node, long index, int row) {
    return "node '%s' (Gather): index %d is outside [-4, 3] on axis 0, at row %d, position %d"
        .formatted(node, index, row, row);
  }

  private static String size(long size, String place) {
    return "node 'z_ConstantOfShape' (ConstantOfShape): negative size %d on axis 0%s"
        .formatted(size, place);
  }

  private static LoopModels makingASize() {
    return graph()
        .node("a = Gather four i")
        .node("z = ConstantOfShape k")
        .node("s = ReduceSum z", attribute("keepdims", 0))
        .node("b = Gather four i")
        .node("t = Sum a b s")
        .outputs("t");
  }

  private static OnnxModel branching(LoopModels then, LoopModels otherwise) {
    return around()
        .node("before = Gather four i")
        .node(
            "y = If isPositive",
            attribute("then_branch", then),
            attribute("else_branch", otherwise))
        .node("after = Gather four i")
        .outputs("y before after")
        .model("branching");
  }

  private static LoopModels adding() {
    return graph().node("o = Add h h").outputs("o");
  }

  @Test
  void aBranchFailsOnlyIfItIsTaken() {
    Model model = load(branching(makingASize(), adding()));
    Tensor h = rows(1, 2, 3);
    Tensor i = indices(0, 1, -4);
    assertThat(result(model, many(-1), h, i, one(-2))).containsExactly(2f, 4f, 6f);
    assertThat(failures(model, many(1), h, i, one(-2))).containsExactly(size(-2, ""));
    assertThat(result(model, many(-1), h, i, one(-2))).containsExactly(2f, 4f, 6f);
    assertThat(result(model, many(1), h, i, one(2))).containsExactly(2f, 4f, 2f);
    assertThat(failures(model, many(1), h, i, one(-2))).containsExactly(size(-2, ""));
  }

  @Test
  void theOtherBranchToo() {
    Model model = load(branching(adding(), makingASize()));
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 1);
    assertThat(result(model, many(1), h, i, one(-7))).containsExactly(2f, 4f);
    assertThat(failures(model, many(-1), h, i, one(-7))).containsExactly(size(-7, ""));
  }

  @Test
  void aSizeThatTheFileMakesNegative() {
    LoopModels then =
        graph()
            .wholes("minus", -3)
            .node("z = ConstantOfShape minus")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add h s")
            .outputs("t");
    Model model = load(branching(then, adding()));
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 3);
    assertThat(result(model, many(-1), h, i, one(0))).containsExactly(2f, 4f);
    assertThat(failures(model, many(1), h, i, one(0))).containsExactly(size(-3, ""));
    assertThat(result(model, many(-1), h, i, one(0))).containsExactly(2f, 4f);
  }

  /// With axis, value, bounds and position.
  @Test
  void theReportIsThatOfTheHost() {
    LoopModels then =
        graph()
            .node("r = Expand four k")
            .node("s = ReduceSum r", attribute("keepdims", 0))
            .node("t = Add h s")
            .outputs("t");
    OnnxModel model =
        graph()
            .input("x", DataType.FLOAT, "5000")
            .input("h", DataType.FLOAT, "N")
            .input("k", DataType.INT64, "3")
            .floats("zero", new long[0], 0)
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .node("sum = ReduceSum x", attribute("keepdims", 0))
            .node("isPositive = Greater sum zero")
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .outputs("y")
            .model("expanding");
    Model loaded = load(model);
    Tensor k = longs(shape(3), 2, -5, 4);
    assertThat(result(loaded, many(-1), rows(1, 2), k)).containsExactly(2f, 4f);
    assertThat(reports(loaded, many(1), rows(1, 2), k))
        .containsExactly(
            new FailureReport(
                "r_Expand",
                "Expand",
                1,
                -5L,
                0,
                Long.MAX_VALUE,
                1,
                0,
                null,
                null,
                FailureReport.NEGATIVE_SIZE));
  }

  /// In the branch as around it, and nothing that comes after.
  @Test
  void whatFailsAheadOfTheSizeIsToldFirst() {
    LoopModels then =
        graph()
            .node("a = Gather three i")
            .node("z = ConstantOfShape k")
            .node("b = Gather two i")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Sum a b s")
            .outputs("t");
    OnnxModel model =
        around()
            .floats("two", new long[] {2}, 1, 2)
            .floats("three", new long[] {3}, 1, 2, 3)
            .node("before = Gather four i")
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .node("after = Gather two i")
            .outputs("y before after")
            .model("ahead");
    Model loaded = load(model);
    Tensor h = rows(1, 2, 3, 4);
    assertThat(failures(loaded, many(1), h, indices(0, 4, 3, 2), one(-1)))
        .containsExactly(
            index("before_Gather", 4, 1),
            "node 'a_Gather' (Gather): index 3 is outside [-3, 2] on axis 0, at row 2, position 2",
            size(-1, ""));
    assertThat(failures(loaded, many(-1), h, indices(0, 4, 3, 2), one(-1)))
        .containsExactly(
            index("before_Gather", 4, 1),
            "node 'after_Gather' (Gather): index 3 is outside [-2, 1] on axis 0, at row 2,"
                + " position 2",
            "node 'after_Gather' (Gather): index 2 is outside [-2, 1] on axis 0, at row 3,"
                + " position 3");
  }

  /// As often as the device says.
  private static LoopModels looping(LoopModels body) {
    return around()
        .input("trips", DataType.FLOAT, "5000")
        .node("sums = ReduceSum trips", attribute("keepdims", 0))
        .node("times = Cast sums", attribute("to", DataType.INT64.getNumber()))
        .node("y = Loop times isPositive h", attribute("body", body))
        .node("after = Gather four i")
        .outputs("y after");
  }

  private static LoopModels summing() {
    return graph()
        .inputs("n go p")
        .node("a = Gather four i")
        .node("z = ConstantOfShape k")
        .node("s = ReduceSum z", attribute("keepdims", 0))
        .node("b = Gather four i")
        .node("t = Sum p a b s")
        .node("more = Identity go")
        .outputs("more t");
  }

  @Test
  void aLoopFailsOnlyIfItHasAnIteration() {
    Model model = load(looping(summing()).model("looping"));
    Tensor h = rows(5, 6);
    Tensor i = indices(0, 3);
    assertThat(result(model, many(1), h, i, one(-2), many(0))).containsExactly(5f, 6f);
    assertThat(result(model, many(-1), h, i, one(-2), many(3))).containsExactly(5f, 6f);
    assertThat(failures(model, many(1), h, i, one(-2), many(3)))
        .containsExactly(size(-2, ", iteration 0"));
    assertThat(failures(model, many(1), h, indices(0, 4), one(-2), many(3)))
        .containsExactly(
            "node 'a_Gather' (Gather): index 4 is outside [-4, 3] on axis 0, at row 1,"
                + " iteration 0, position 1",
            size(-2, ", iteration 0"));
    assertThat(failures(model, many(1), h, indices(0, 4), one(-2), many(0)))
        .containsExactly(index("after_Gather", 4, 1));
    assertThat(result(model, many(1), h, i, one(-2), many(0))).containsExactly(5f, 6f);
    assertThat(result(model, many(1), h, i, one(2), many(2))).containsExactly(9f, 22f);
  }

  /// Sizes that differ by iteration ahead of one that does not.
  @Test
  void theFirstIterationIsLookedAtAsItIs() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("d = Sub k n")
            .node("z = ConstantOfShape d")
            .node("zz = ConstantOfShape k")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("ss = ReduceSum zz", attribute("keepdims", 0))
            .node("t = Sum p s ss")
            .node("more = Identity go")
            .outputs("more t");
    Model model = load(looping(body).model("first"));
    Tensor h = rows(5, 6);
    Tensor i = indices(0, 3);
    assertThat(result(model, many(1), h, i, one(-2), many(0))).containsExactly(5f, 6f);
    assertThat(failures(model, many(1), h, i, one(-2), many(3)))
        .containsExactly(size(-2, ", iteration 0"));
  }

  /// A branch that is taken late in a loop that the host counts, and one in an iteration of its
  /// own.
  @Test
  void theIterationInWhichABranchIsTaken() {
    LoopModels then =
        graph()
            .node("z = ConstantOfShape k")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add p s")
            .outputs("t");
    LoopModels otherwise = graph().node("o = Add p one").outputs("o");
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("number = Cast n", attribute("to", DataType.FLOAT.getNumber()))
            .node("late = Greater number sum")
            .node(
                "v = If late", attribute("then_branch", then), attribute("else_branch", otherwise))
            .node("more = Identity go")
            .outputs("more v");
    OnnxModel looping =
        around()
            .floats("one", new long[0], 1)
            .whole("five", 5)
            .node("y = Loop five - h", attribute("body", body))
            .outputs("y")
            .model("late");
    Model model = load(looping);
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 3);
    assertThat(result(model, many(9), h, i, one(-4))).containsExactly(6f, 7f);
    assertThat(failures(model, many(2), h, i, one(-4))).containsExactly(size(-4, ", iteration 3"));
    assertThat(failures(model, many(-1), h, i, one(-4))).containsExactly(size(-4, ", iteration 0"));
    assertThat(result(model, many(4), h, i, one(-4))).containsExactly(6f, 7f);
  }

  /// A loop that the host writes out comes to the size in its third iteration, if the device takes
  /// the branch in which it stands.
  @Test
  void anIterationOfALoopInABranch() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("d = Sub k n")
            .node("a = Gather four i")
            .node("z = ConstantOfShape d")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Sum p a s")
            .node("more = Identity go")
            .outputs("more t");
    LoopModels then =
        graph().whole("five", 5).node("r = Loop five - h", attribute("body", body)).outputs("r");
    Model model = load(branching(then, adding()));
    Tensor h = rows(1, 2);
    assertThat(failures(model, many(1), h, indices(0, 3), one(1)))
        .containsExactly(size(-1, ", iteration 2"));
    assertThat(result(model, many(-1), h, indices(0, 3), one(1))).containsExactly(2f, 4f);
    assertThat(failures(model, many(-1), h, indices(0, 5), one(1)))
        .containsExactly(index("before_Gather", 5, 1));
    assertThat(result(model, many(1), h, indices(0, 3), one(4))).containsExactly(6f, 22f);
  }

  @Test
  void aLoopInABranchOfABranch() {
    LoopModels loop = graph().node("r = Loop count - h", attribute("body", summing())).outputs("r");
    LoopModels then =
        graph()
            .node(
                "q = If isLarge",
                attribute("then_branch", loop),
                attribute("else_branch", adding()))
            .outputs("q");
    LoopModels otherwise = graph().node("m = Mul h h").outputs("m");
    OnnxModel model =
        around()
            .floats("ten", new long[0], 10)
            .node("isLarge = Greater sum ten")
            .node("over = Sub sum ten")
            .node("count = Cast over", attribute("to", DataType.INT64.getNumber()))
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", otherwise))
            .outputs("y")
            .model("nested");
    Model loaded = load(model);
    Tensor h = rows(3, 4);
    Tensor i = indices(0, 3);
    assertThat(result(loaded, many(-1), h, i, one(-6))).containsExactly(9f, 16f);
    assertThat(result(loaded, many(1), h, i, one(-6))).containsExactly(6f, 8f);
    assertThat(failures(loaded, many(12), h, i, one(-6)))
        .containsExactly(size(-6, ", iteration 0"));
    assertThat(result(loaded, many(10.5f), h, i, one(-6))).containsExactly(3f, 4f);
    assertThat(result(loaded, many(12), h, i, one(0))).containsExactly(7f, 20f);
  }

  /// One of them fails, and the device tells which.
  @Test
  void bothBranches() {
    LoopModels then =
        graph()
            .node("z = ConstantOfShape k")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add h s")
            .outputs("t");
    LoopModels otherwise =
        graph()
            .node("two = Gather four i")
            .node("e = Expand h k")
            .node("o = Add two e")
            .outputs("o");
    Model model = load(branching(then, otherwise));
    Tensor h = rows(3, 4);
    assertThat(failures(model, many(1), h, indices(0, 3), one(-6))).containsExactly(size(-6, ""));
    String expand = "node 'e_Expand' (Expand): negative size -6 on axis 0";
    assertThat(failures(model, many(-1), h, indices(0, 3), one(-6))).containsExactly(expand);
    assertThat(failures(model, many(-1), h, indices(4, 3), one(-6)))
        .containsExactly(index("before_Gather", 4, 0), expand);
  }

  /// A size ahead of or behind the branch fails the request in any case.
  @Test
  void aSizeOfTheGraphBesidesOneOfABranch() {
    OnnxModel behind =
        around()
            .node(
                "y = If isPositive",
                attribute("then_branch", makingASize()),
                attribute("else_branch", adding()))
            .node("all = ConstantOfShape k")
            .outputs("y all")
            .model("behind");
    Model model = load(behind);
    Tensor h = rows(3, 4);
    Tensor i = indices(0, 3);
    assertThat(failures(model, many(1), h, i, one(-1))).containsExactly(size(-1, ""));
    assertThat(failures(model, many(-1), h, i, one(-1)))
        .containsExactly(
            "node 'all_ConstantOfShape' (ConstantOfShape): negative size -1 on axis 0");
  }

  /// The request waits as often as one that comes to no such size.
  @Test
  void nobodyWaitsForIt() {
    Model branching = load(branching(makingASize(), adding()));
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 1);
    long waits = waits(branching, many(1), h, i, one(2));
    assertThat(waits(branching, many(1), h, i, one(-2))).isEqualTo(waits);
    assertThat(waits(branching, many(-1), h, i, one(-2))).isEqualTo(waits);
    Model looping = load(looping(summing()).model("looping"));
    long waitsInLoop = waits(looping, many(1), h, i, one(2), many(1));
    assertThat(waits(looping, many(1), h, i, one(-2), many(1))).isLessThanOrEqualTo(waitsInLoop);
    assertThat(waits(looping, many(1), h, i, one(-2), many(0))).isLessThanOrEqualTo(waitsInLoop);
  }

  /// What a size follows from is told if it fails, where the run comes to it.
  @Test
  void aSizeThatFollowsFromADivisionByZero() {
    LoopModels then =
        graph()
            .node("a = Gather four i")
            .node("d = Div six k")
            .node("z = ConstantOfShape d")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Sum h a s")
            .outputs("t");
    OnnxModel model =
        around()
            .wholes("six", 6)
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .outputs("y")
            .model("dividing");
    Model loaded = load(model);
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 3);
    String division = "node 'd_Div' (Div): division by zero, position 0";
    assertThat(result(loaded, many(-1), h, i, one(0))).containsExactly(2f, 4f);
    assertThat(failures(loaded, many(1), h, i, one(0))).containsExactly(division);
    assertThat(failures(loaded, many(1), h, indices(4, 3), one(0)))
        .containsExactly(index("a_Gather", 4, 0), division);
    assertThat(failures(loaded, many(1), h, i, one(-2))).containsExactly(size(-3, ""));
    assertThat(result(loaded, many(1), h, i, one(2))).containsExactly(2f, 6f);
  }

  @Test
  void aSizeThatFollowsFromABadIndexInALoop() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("c = Gather sizes k")
            .node("z = ConstantOfShape c")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add p s")
            .node("more = Identity go")
            .outputs("more t");
    Model model = load(looping(body.wholes("sizes", 1, 2)).model("indexing"));
    Tensor h = rows(5, 6);
    Tensor i = indices(0, 3);
    assertThat(result(model, many(1), h, i, one(2), many(0))).containsExactly(5f, 6f);
    assertThat(failures(model, many(1), h, i, one(2), many(3)))
        .containsExactly(
            "node 'c_Gather' (Gather): index 2 is outside [-2, 1] on axis 0, iteration 0,"
                + " position 0");
    assertThat(result(model, many(1), h, i, one(1), many(3))).containsExactly(5f, 6f);
  }

  /// What does not run does not fail, wherever what it reads is made.
  @Test
  void aSizeThatNothingReadsFollowsFromADivisionByZero() {
    LoopModels then =
        graph()
            .node("d = Div six k")
            .node("z = ConstantOfShape d")
            .node("zz = ConstantOfShape e")
            .node("t = Mul h h")
            .outputs("t");
    OnnxModel model =
        around()
            .wholes("six", 6)
            .node("e = Div six k")
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .outputs("y")
            .model("unread");
    Model loaded = load(model);
    Tensor h = rows(3, 5);
    Tensor i = indices(0, 3);
    assertThat(result(loaded, many(1), h, i, one(0))).containsExactly(9f, 25f);
    assertThat(result(loaded, many(-1), h, i, one(0))).containsExactly(6f, 10f);
    assertThat(result(loaded, many(1), h, i, one(2))).containsExactly(9f, 25f);
  }

  /// It fails before there is a branch.
  @Test
  void aSizeThatFollowsFromWhatFailsAheadOfTheBranch() {
    LoopModels then =
        graph()
            .node("z = ConstantOfShape d")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add h s")
            .outputs("t");
    OnnxModel model =
        around()
            .wholes("six", 6)
            .node("d = Div six k")
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .outputs("y")
            .model("before");
    Model loaded = load(model);
    Tensor h = rows(1, 2);
    Tensor i = indices(0, 3);
    String division = "node 'd_Div' (Div): division by zero, position 0";
    assertThat(failures(loaded, many(1), h, i, one(0))).containsExactly(division);
    assertThat(result(loaded, many(-1), h, i, one(-6))).containsExactly(2f, 4f);
    assertThat(failures(loaded, many(1), h, i, one(-6))).containsExactly(size(-1, ""));
  }

  /// What stands ahead of a branch fails whichever is taken, though only nodes behind the size read
  /// it.
  @Test
  void whatOnlyNodesBehindTheSizeRead() {
    LoopModels then =
        graph()
            .node("z = ConstantOfShape k")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Sum ahead s")
            .outputs("t");
    OnnxModel model =
        around()
            .node("ahead = Gather four i")
            .node(
                "y = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", adding()))
            .outputs("y")
            .model("behind");
    Model loaded = load(model);
    Tensor h = rows(1, 2);
    String bad = index("ahead_Gather", 4, 1);
    for (long k : new long[] {1, -1}) {
      assertThat(failures(loaded, many(-1), h, indices(0, 4), one(k))).containsExactly(bad);
    }
    assertThat(failures(loaded, many(1), h, indices(0, 4), one(-1)))
        .containsExactly(bad, size(-1, ""));
    assertThat(result(loaded, many(-1), h, indices(0, 3), one(-1))).containsExactly(2f, 4f);
  }

  /// Of the other branch's types, whatever these are.
  @Test
  void resultsOfManyTypes() {
    LoopModels then =
        graph()
            .node("z = ConstantOfShape k")
            .node("za = Identity h")
            .node("zb = Identity isPositive")
            .node("zc = Cast z", attribute("to", DataType.FLOAT16.getNumber()))
            .node("zd = Cast z", attribute("to", DataType.INT8.getNumber()))
            .node("ze = Identity z")
            .outputs("za zb zc zd ze");
    LoopModels otherwise =
        graph()
            .wholes("none", 0)
            .wholes("twice", 2, 3)
            .node("oa = Add h h")
            .node("ob = Identity isPositive")
            .node("oc = Cast four", attribute("to", DataType.FLOAT16.getNumber()))
            .node("m = ConstantOfShape twice")
            .node("od = Cast m", attribute("to", DataType.INT8.getNumber()))
            .node("oe = ConstantOfShape none")
            .outputs("oa ob oc od oe");
    OnnxModel model =
        around()
            .node(
                "a b c d e = If isPositive",
                attribute("then_branch", then),
                attribute("else_branch", otherwise))
            .outputs("a b c d e")
            .model("types");
    Model loaded = load(model);
    Tensor i = indices(0, 3);
    assertThat(result(loaded, many(-1), rows(1, 2), i, one(-2))).containsExactly(2f, 4f);
    assertThat(failures(loaded, many(1), rows(1, 2), i, one(-2))).containsExactly(size(-2, ""));
    assertThat(result(loaded, many(-1), rows(3, 4), i, one(-2))).containsExactly(6f, 8f);
  }

  /// The batch is fixed then.
  @Test
  void aSizeThatFollowsFromRows() {
    LoopModels then =
        graph()
            .node("least = ReduceMin i", attribute("keepdims", 1))
            .node("z = ConstantOfShape least")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("t = Add h s")
            .outputs("t");
    Model model = load(branching(then, adding()));
    Tensor h = rows(1, 2);
    Tensor i = indices(3, -4);
    assertThat(result(model, many(-1), h, i, one(0))).containsExactly(2f, 4f);
    assertThat(failures(model, many(1), h, i, one(0))).containsExactly(size(-4, ""));
    assertThat(result(model, many(1), h, indices(3, 2), one(0))).containsExactly(1f, 2f);
  }
}
