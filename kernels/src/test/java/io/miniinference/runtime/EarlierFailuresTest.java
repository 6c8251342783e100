package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static io.miniinference.runtime.SharedEngine.longs;
import static io.miniinference.runtime.SharedEngine.shape;
import static io.miniinference.runtime.SharedEngine.wholes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.device.OnEachDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is told of a request some of whose sizes are negative, or unknown because what they follow
/// from fails: what fails ahead of that in the order of execution, branches and iterations
/// included, and nothing that would come after.
@OnEachDevice(optimised = false)
final class EarlierFailuresTest extends EnginePerTest {
  private Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults());
  }

  private static List<String> failures(Model model, Tensor... inputs) {
    return catchThrowableOfType(
            RequestFailedException.class,
            () -> model.infer(SharedEngine.request(inputs), _ -> true))
        .failures()
        .stream()
        .map(FailureReport::message)
        .toList();
  }

  private static boolean succeeds(Model model, Tensor... inputs) {
    return model.infer(SharedEngine.request(inputs), _ -> true);
  }

  private static Tensor one(long value) {
    return longs(shape(1), value);
  }

  private static Tensor scalar(long value) {
    return longs(shape(), value);
  }

  private static Tensor truth(boolean value) {
    return wholes(ElementType.BOOL, shape(), value ? 1 : 0);
  }

  private static Tensor rows(long... values) {
    return longs(shape(values.length / 2, 2), values);
  }

  private static String index(String node, long index, int size, String place) {
    return "node '%s' (Gather): index %d is outside [%d, %d] on axis 0, at row %s"
        .formatted(node, index, -size, size - 1, place);
  }

  private static String size(String node, long size, String place) {
    return "node '%s' (ConstantOfShape): negative size %d on axis 0%s".formatted(node, size, place);
  }

  /// A Gather ahead of the branch, one in it, a size, and a Gather behind it.
  private static OnnxModel branching() {
    LoopModels then =
        graph()
            .node("b = Gather four i")
            .node("nowhere = Gather two i")
            .node("z = ConstantOfShape k")
            .node("c = Gather two i")
            .outputs("b z c");
    LoopModels otherwise =
        graph()
            .node("e = Gather two i")
            .node("o = ConstantOfShape one")
            .node("f = Gather two i")
            .outputs("e o f");
    return graph()
        .input("i", DataType.INT64, "N", "2")
        .input("k", DataType.INT64, "1")
        .input("which", DataType.BOOL)
        .wholes("one", 1)
        .floats("two", new long[] {2}, 1, 2)
        .floats("four", new long[] {4}, 1, 2, 3, 4)
        .floats("six", new long[] {6}, 1, 2, 3, 4, 5, 6)
        .node("a = Gather six i")
        .node(
            "x y w = If which", attribute("then_branch", then), attribute("else_branch", otherwise))
        .node("d = Gather two i")
        .outputs("a x y w d")
        .model("branching");
  }

  @Test
  void whatFailsInABranchAheadOfASize() {
    Model model = load(branching());
    assertThat(failures(model, rows(0, 3, 1, 5, -7, 0, 4, 4, 2, 2), one(-1), truth(true)))
        .containsExactly(
            index("a_Gather", -7, 6, "2, position 4"),
            index("b_Gather", 5, 4, "1, position 3"),
            index("b_Gather", 4, 4, "3, position 6"),
            size("z_ConstantOfShape", -1, ""));
    assertThat(failures(model, rows(0, 2), one(-1), truth(true)))
        .containsExactly(size("z_ConstantOfShape", -1, ""));
    assertThat(failures(model, rows(0, 2), one(-1), truth(false)))
        .containsExactly(index("e_Gather", 2, 2, "0, position 1"));
    assertThat(succeeds(model, rows(0, 1), one(3), truth(true))).isTrue();
  }

  /// In iteration `i`: a Gather of column `i`, a size `k − i`, and another Gather.
  private static LoopModels body() {
    return graph()
        .inputs("i go p")
        .node("ai = Gather a i", attribute("axis", 1))
        .node("bi = Gather b i", attribute("axis", 1))
        .node("u = Gather three ai")
        .node("d = Sub k i")
        .node("z = ConstantOfShape d")
        .node("s = ReduceSum z")
        .node("v = Gather four bi")
        .node("n = Sum p u v s")
        .node("more = Identity go")
        .outputs("more n");
  }

  private static LoopModels around() {
    return graph()
        .input("a", DataType.INT64, "N", "5")
        .input("b", DataType.INT64, "N", "5")
        .input("h", DataType.FLOAT, "N")
        .input("k", DataType.INT64, "1")
        .floats("three", new long[] {3}, 1, 2, 3)
        .floats("four", new long[] {4}, 10, 20, 30, 40);
  }

  private static Tensor columns(long... values) {
    return longs(shape(values.length / 5, 5), values);
  }

  private static Tensor start(int rows) {
    return SharedEngine.floats(shape(rows), new float[rows]);
  }

  private static final Tensor A =
      columns(0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0);
  private static final Tensor B =
      columns(0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 9, 0);

  @Test
  void whatFailsInALoopAheadOfASize() {
    OnnxModel looping =
        around()
            .whole("five", 5)
            .node("y = Loop five - h", attribute("body", body()))
            .node("after = Gather three a")
            .outputs("y after")
            .model("looping");
    Model model = load(looping);
    assertThat(failures(model, A, B, start(4), one(2)))
        .containsExactly(
            index("v_Gather", 8, 4, "1, iteration 1, position 1"),
            index("v_Gather", 9, 4, "2, iteration 1, position 2"),
            index("u_Gather", 5, 3, "0, iteration 3, position 0"),
            size("z_ConstantOfShape", -1, ", iteration 3"));
    assertThat(failures(model, A, B, start(4), one(-3)))
        .containsExactly(size("z_ConstantOfShape", -3, ", iteration 0"));
    assertThat(succeeds(model, columns(0, 0, 0, 0, 0), columns(0, 0, 0, 0, 0), start(1), one(7)))
        .isTrue();
  }

  /// The loop stands in a branch, and has a branch of its own from iteration 2 on.
  @Test
  void whatFailsInLoopsAndBranchesWithinEachOther() {
    LoopModels late =
        graph()
            .node("u = Gather three ai")
            .node("d = Sub k i")
            .node("z = ConstantOfShape d")
            .node("s = ReduceSum z")
            .node("us = Add u s")
            .outputs("us");
    LoopModels early = graph().node("v = Gather four bi").outputs("v");
    LoopModels body =
        graph()
            .inputs("i go p")
            .whole("one", 1)
            .node("ai = Gather a i", attribute("axis", 1))
            .node("bi = Gather b i", attribute("axis", 1))
            .node("isLate = Greater i one")
            .node("w = If isLate", attribute("then_branch", late), attribute("else_branch", early))
            .node("n = Sum p w")
            .node("more = Identity go")
            .outputs("more n");
    LoopModels then =
        graph().whole("five", 5).node("y = Loop five - h", attribute("body", body)).outputs("y");
    LoopModels otherwise = graph().node("same = Identity h").outputs("same");
    OnnxModel nested =
        around()
            .input("which", DataType.BOOL)
            .node(
                "r = If which", attribute("then_branch", then), attribute("else_branch", otherwise))
            .outputs("r")
            .model("nested");
    Model model = load(nested);
    assertThat(failures(model, A, B, start(4), one(2), truth(true)))
        .containsExactly(
            index("v_Gather", 8, 4, "1, iteration 1, position 1"),
            index("v_Gather", 9, 4, "2, iteration 1, position 2"),
            index("u_Gather", 5, 3, "0, iteration 3, position 0"),
            size("z_ConstantOfShape", -1, ", iteration 3"));
    assertThat(succeeds(model, A, B, start(4), one(2), truth(false))).isTrue();
  }

  @Test
  void whatFailsInAScanAheadOfASize() {
    LoopModels body =
        graph()
            .inputs("p ki ji")
            .node("u = Gather three ji")
            .node("z = ConstantOfShape ki")
            .node("s = ReduceSum z")
            .node("v = Gather four ji")
            .node("n = Sum p u v s")
            .node("o = Identity u")
            .outputs("n o");
    OnnxModel scanning =
        graph()
            .input("h", DataType.FLOAT, "1")
            .input("k", DataType.INT64, "4", "1")
            .input("j", DataType.INT64, "4", "1")
            .floats("three", new long[] {3}, 1, 2, 3)
            .floats("four", new long[] {4}, 10, 20, 30, 40)
            .node("y os = Scan h k j", attribute("body", body), attribute("num_scan_inputs", 2))
            .outputs("y os")
            .model("scanning");
    Model model = load(scanning);
    Tensor sizes = longs(shape(4, 1), 3, 0, -2, 1);
    String negative = size("z_ConstantOfShape", -2, ", iteration 2");
    assertThat(failures(model, start(1), sizes, longs(shape(4, 1), 0, 1, 2, 9)))
        .containsExactly(negative);
    assertThat(failures(model, start(1), sizes, longs(shape(4, 1), 0, 1, 3, 9)))
        .containsExactly(
            "node 'u_Gather' (Gather): index 3 is outside [-3, 2] on axis 0, iteration 2,"
                + " position 0");
    assertThat(failures(model, start(1), sizes, longs(shape(4, 1), 0, -4, 2, 9)))
        .containsExactly(
            "node 'u_Gather' (Gather): index -4 is outside [-3, 2] on axis 0, iteration 1,"
                + " position 0");
    sizes = longs(shape(4, 1), 3, 0, 2, 1);
    assertThat(succeeds(model, start(1), sizes, longs(shape(4, 1), 0, 1, 2, 2))).isTrue();
  }

  /// A loop of no iteration and a branch that is not taken make no size.
  @Test
  void aSizeThatIsNotReachedIsNotTold() {
    OnnxModel looping =
        around()
            .input("trips", DataType.INT64)
            .node("y = Loop trips - h", attribute("body", body()))
            .outputs("y")
            .model("looping");
    Model model = load(looping);
    assertThat(succeeds(model, A, B, start(4), one(-1), scalar(0))).isTrue();
    Tensor zeros = columns(0, 0, 0, 0, 0);
    assertThat(succeeds(model, zeros, zeros, start(1), one(1), scalar(2))).isTrue();
    assertThat(failures(model, zeros, zeros, start(1), one(1), scalar(3)))
        .containsExactly(size("z_ConstantOfShape", -1, ", iteration 2"));
  }

  /// A loop of as many iterations as the batch has rows, which may be none.
  @Test
  void whatFailsInALoopOverTheBatchAheadOfASize() {
    LoopModels body =
        graph()
            .inputs("m go p")
            .node("im = Gather i m")
            .node("e = Gather four im")
            .node("z = ConstantOfShape k")
            .node("s = ReduceSum z", attribute("keepdims", 0))
            .node("n = Sum p e s")
            .node("more = Identity go")
            .outputs("more n");
    OnnxModel looping =
        graph()
            .input("i", DataType.INT64, "N")
            .input("k", DataType.INT64, "1")
            .input("h", DataType.FLOAT, "1")
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .node("shape = Shape i")
            .node("rows = Squeeze shape")
            .node("y = Loop rows - h", attribute("body", body))
            .outputs("y")
            .model("looping");
    Model model = load(looping);
    assertThat(failures(model, longs(shape(2), 0, 4), one(-1), start(1)))
        .containsExactly(size("z_ConstantOfShape", -1, ", iteration 0"));
    assertThat(failures(model, longs(shape(2), 4, 0), one(-1), start(1)))
        .containsExactly(
            "node 'e_Gather' (Gather): index 4 is outside [-4, 3] on axis 0, iteration 0,"
                + " position 0");
    assertThat(succeeds(model, longs(shape(0)), one(-1), start(1))).isTrue();
    assertThat(succeeds(model, longs(shape(2), 0, 3), one(2), start(1))).isTrue();
  }

  /// Sizes follow from shapes, too: of the batch, which then is fixed, and of other axes.
  @Test
  void aSizeThatShapesMakeNegative() {
    OnnxModel shaped =
        graph()
            .input("i", DataType.INT64, "N", "T")
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .wholes("less", 2, 3)
            .node("y = Gather four i")
            .node("s = Shape i")
            .node("d = Sub s less")
            .node("z = ConstantOfShape d")
            .outputs("y z")
            .model("shaped");
    Model model = load(shaped);
    assertThat(succeeds(model, longs(shape(2, 3), 0, 1, 2, 3, -4, 0))).isTrue();
    assertThat(failures(model, longs(shape(3, 2), 0, 1, 2, 3, -4, 0)))
        .containsExactly("node 'z_ConstantOfShape' (ConstantOfShape): negative size -1 on axis 1");
    assertThat(failures(model, longs(shape(1, 4), 0, 1, 2, 3)))
        .containsExactly(size("z_ConstantOfShape", -1, ""));
  }

  /// Whatever a request before needed, failures belong to rows.
  @Test
  void failuresBelongToRowsThoughTheBatchWasFixed() {
    OnnxModel reshaping =
        graph()
            .input("i", DataType.INT64, "N", "2")
            .input("k", DataType.INT64, "2")
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .node("a = Gather four i")
            .node("z = Reshape a k")
            .outputs("z")
            .model("reshaping");
    Model model = load(reshaping);
    Tensor sizes = longs(shape(2), -3, 4);
    List<String> expected =
        List.of(
            index("a_Gather", 4, 4, "1, position 2"),
            "node 'z_Reshape' (Reshape): negative size -3 on axis 0");
    assertThat(failures(model, rows(0, 1, 4, 3), sizes)).isEqualTo(expected);
    assertThat(succeeds(model, rows(0, 1, 2, 3), longs(shape(2), 1, 4))).isTrue();
    assertThat(failures(model, rows(0, 1, 4, 3), sizes)).isEqualTo(expected);
  }

  /// What a size follows from is told if it fails, and the size is not.
  @Test
  void aSizeThatIsUnknownSinceADivisionFailed() {
    OnnxModel dividing =
        graph()
            .input("i", DataType.INT64, "N", "2")
            .input("n", DataType.INT64, "1")
            .input("m", DataType.INT64, "1")
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .node("y = Gather four i")
            .node("d = Div n m")
            .node("z = ConstantOfShape d")
            .node("after = Gather four i")
            .outputs("y z after")
            .model("dividing");
    Model model = load(dividing);
    assertThat(succeeds(model, rows(0, 1), one(7), one(2))).isTrue();
    assertThat(failures(model, rows(0, 1), one(7), one(0)))
        .containsExactly("node 'd_Div' (Div): division by zero, position 0");
    assertThat(failures(model, rows(0, 1, 4, 0), one(7), one(0)))
        .containsExactly(
            index("y_Gather", 4, 4, "1, position 2"),
            "node 'd_Div' (Div): division by zero, position 0");
    assertThat(failures(model, rows(0, 1), one(7), one(-2)))
        .containsExactly(size("z_ConstantOfShape", -3, ""));
    assertThat(succeeds(model, rows(0, 1), one(7), one(2))).isTrue();
  }

  @Test
  void aSizeThatIsUnknownSinceAnIndexFailedInAnIteration() {
    LoopModels body =
        graph()
            .inputs("i go p")
            .node("ki = Gather k i")
            .node("s = Gather sizes ki")
            .node("z = Expand p s")
            .node("n = ReduceSum z", attribute("keepdims", 1))
            .node("more = Identity go")
            .outputs("more n");
    OnnxModel model =
        graph()
            .input("k", DataType.INT64, "4", "1")
            .input("h", DataType.FLOAT, "1")
            .wholes("sizes", 1, 2, 3)
            .whole("four", 4)
            .node("y = Loop four - h", attribute("body", body))
            .outputs("y")
            .model("late");
    Model loaded = load(model);
    assertThat(succeeds(loaded, longs(shape(4, 1), 0, 1, 2, -3), start(1))).isTrue();
    assertThat(failures(loaded, longs(shape(4, 1), 0, 1, 3, 4), start(1)))
        .containsExactly(
            "node 's_Gather' (Gather): index 3 is outside [-3, 2] on axis 0, iteration 2,"
                + " position 0");
  }

  /// Names need not be unique, nor need there be any.
  @Test
  void nodesOfOneNameAreToldApart() {
    LoopModels then =
        graph().node("b = Div i j").named("same").node("z = ConstantOfShape k").outputs("b z");
    LoopModels otherwise =
        graph().node("e = Identity i").node("o = ConstantOfShape k").outputs("e o");
    OnnxModel model =
        graph()
            .input("i", DataType.INT64, "N", "2")
            .input("j", DataType.INT64, "N", "2")
            .input("k", DataType.INT64, "1")
            .input("which", DataType.BOOL)
            .floats("two", new long[] {2}, 1, 2)
            .node("a = Gather two i")
            .named("same")
            .node(
                "x y = If which",
                attribute("then_branch", then),
                attribute("else_branch", otherwise))
            .outputs("a x y")
            .model("same");
    assertThat(failures(load(model), rows(0, 5, 1, 1), rows(1, 1, 1, 0), one(-1), truth(true)))
        .containsExactly(
            index("same", 5, 2, "0, position 1"),
            "node 'same' (Div): division by zero, at row 1, position 3",
            size("z_ConstantOfShape", -1, ""));
  }
}
