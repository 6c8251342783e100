package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Value;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a file's nodes give, for the memory it would take.
final class NodeResultsTest {

  private static List<String> results(TestModel model) {
    return Importer.importWithValues(model.read(), ImportOptions.defaults()).results().stream()
        .map(Value::toString)
        .toList();
  }

  @Test
  void viewsIdentitiesAndWhatNobodyReadsCount() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "4")
            .node("Identity", "x", "same")
            .node("Flatten", "same", "flat")
            .node("Relu", "x", "unread")
            .node("Shape", "x", "shape")
            .output("flat");
    assertThat(results(model))
        .containsExactly("same: f32[N,4]", "flat: f32[N,4]", "unread: f32[N,4]", "shape: i64[2]");
  }

  @Test
  void whatFollowsFromConstantsIsAWeightUnlessItIsAnOutput() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "3")
            .constant("weight", 1, 2, 3)
            .node("Neg", "weight", "negative")
            .node("Cast", "negative", "real", attribute("to", DataType.FLOAT.getNumber()))
            .node("Mul", "weight weight", "squares")
            .node("Add", "x real", "y")
            .output("y")
            .output("squares");
    assertThat(results(model)).containsExactly("squares: i64[3]", "y: f32[3]");
  }

  @Test
  void bothBranchesCountWithConstantsThatTheyGive() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .constant("zeros", 0, 0, 0)
            .node("Cast", "x", "whole", attribute("to", DataType.INT64.getNumber()))
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", TestModel.body().node("Neg", "whole", "z").output("z")),
                attribute(
                    "else_branch",
                    TestModel.body()
                        .node("Neg", "zeros", "w")
                        .node("Identity", "w", "z")
                        .output("z")))
            .output("y");
    assertThat(results(model))
        .containsExactly("whole: i64[3]", "y: i64[3]", "z: i64[3]", "z: i64[3]");
  }

  @Test
  void aLoopCountsOneIterationAndNoParameters() {
    assertThat(results(loop(body("p").node("Neg", "p", "n").output("k").output("n"))))
        .containsExactly("y: f32[2]", "n: f32[2]");
  }

  @Test
  void aLoopThatIsWrittenOutCountsTheLargestOfItsIterations() {
    TestModel body =
        body("p").node("Concat", "p x", "n", attribute("axis", 0)).output("k").output("n");
    assertThat(results(loop(body))).containsExactly("y: f32[8]", "n: f32[8]");
  }

  @Test
  void aParameterIsNoConstantThoughAConstantAroundTheBodyHasItsName() {
    TestModel body = body("three").node("Neg", "three", "n").node("Relu", "n", "r");
    assertThat(results(loop(body.output("k").output("r"))))
        .containsExactly("y: f32[2]", "n: f32[2]", "r: f32[2]");
  }

  private static TestModel body(String carried) {
    return TestModel.body()
        .input("i", DataType.UNDEFINED)
        .input("k", DataType.UNDEFINED)
        .input(carried, DataType.UNDEFINED);
  }

  /* `y` is `x` after three iterations. */
  private static TestModel loop(TestModel body) {
    return TestModel.opset(17)
        .floats("x", "2")
        .constant("three", 3)
        .node("Squeeze", "three", "t")
        .node("Loop", "t - x", "y", attribute("body", body))
        .output("y");
  }
}
