package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static io.miniinference.runtime.SharedEngine.longs;
import static io.miniinference.runtime.SharedEngine.shape;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.device.OnEachDevice;
import org.junit.jupiter.api.Test;

/// Negative sizes in branches of which only the device knows whether they are taken: they fail the
/// requests that come to them, in their place in the order of execution, and no others.
@OnEachDevice(optimised = false)
final class UndecidedBranchesTest extends UndecidedSizes {
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
        deciding(
                graph()
                    .input("x", DataType.FLOAT, "5000")
                    .input("h", DataType.FLOAT, "N")
                    .input("k", DataType.INT64, "3")
                    .floats("zero", new long[0], 0)
                    .floats("four", new long[] {4}, 1, 2, 3, 4)
                    .node("sum = ReduceSum x", attribute("keepdims", 0))
                    .node("isPositive = Greater sum zero"),
                then,
                adding())
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
        deciding(
                around()
                    .floats("two", new long[] {2}, 1, 2)
                    .floats("three", new long[] {3}, 1, 2, 3)
                    .node("before = Gather four i"),
                then,
                adding())
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
        deciding(around(), makingASize(), adding())
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
        deciding(around().node("ahead = Gather four i"), then, adding())
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
