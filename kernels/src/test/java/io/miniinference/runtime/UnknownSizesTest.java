package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.testing.device.OnEachDevice;
import org.junit.jupiter.api.Test;

/// Sizes in branches and loops that only the device decides on, which are not known since what they
/// follow from fails: that failure is told where the run comes to it.
@OnEachDevice(optimised = false)
final class UnknownSizesTest extends UndecidedSizes {
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
        deciding(around().wholes("six", 6), then, adding()).outputs("y").model("dividing");
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
        deciding(around().wholes("six", 6).node("e = Div six k"), then, adding())
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
        deciding(around().wholes("six", 6).node("d = Div six k"), then, adding())
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
}
