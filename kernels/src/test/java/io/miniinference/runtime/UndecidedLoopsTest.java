package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.device.OnEachDevice;
import org.junit.jupiter.api.Test;

/// Negative sizes in loops of which only the device knows how often they run, or in a branch in
/// them or around them: they fail the requests that come to them, in the iteration that does.
@OnEachDevice(optimised = false)
final class UndecidedLoopsTest extends UndecidedSizes {
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
        deciding(
                around()
                    .floats("ten", new long[0], 10)
                    .node("isLarge = Greater sum ten")
                    .node("over = Sub sum ten")
                    .node("count = Cast over", attribute("to", DataType.INT64.getNumber())),
                then,
                otherwise)
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
}
