package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How If, Loop and Scan of a file become core IR.
final class ControlOpsTest {

  private static Graph imported(TestModel model) {
    return GraphCheck.check(Importer.importModel(model.read(), ImportOptions.defaults()));
  }

  private static Graph importedFor(TestModel model, Map<String, Tensor> values) {
    ImportOptions options = ImportOptions.defaults().withInputValues(values);
    return GraphCheck.check(Importer.importModel(model.read(), options));
  }

  private static Tensor whole(long value) {
    return SmallTensors.of(ElementType.I64, new long[0], value);
  }

  private static Tensor truth(boolean value) {
    return SmallTensors.of(ElementType.BOOL, new long[0], value ? 1L : 0L);
  }

  private static Tensor floats(double... values) {
    return SmallTensors.of(ElementType.F32, new long[] {values.length}, values);
  }

  private static double[] run(Graph graph, Tensor... inputs) {
    return SmallTensors.reals(Interpreter.run(graph, List.of(inputs)).getFirst());
  }

  private static String text(Graph graph) {
    return GraphText.print(graph).replaceAll(" from \"[^\"]*\" \"[^\"]*\"", "");
  }

  private static TestModel branches() {
    return TestModel.opset(17)
        .input("c", DataType.BOOL)
        .floats("x", "3")
        .node("Neg", "x", "n")
        .node(
            "If",
            "c",
            "y",
            attribute("then_branch", body().node("Add", "x n", "t").output("t")),
            attribute("else_branch", body().node("Identity", "n", "e").output("e")))
        .output("y");
  }

  @Test
  void aBranchReadsWhatIsAroundItByName() {
    Graph graph = imported(branches());
    assertThat(text(graph))
        .contains(
            """
              %y: f32[3] = if(%c, %x, %n) graph "then" {
                input %x: f32[3]
                input %n: f32[3]
                %t: f32[3] = elementwise(%x, %n) { a0 + a1 }
                output %t
              } graph "else" {
                input %x: f32[3]
                input %n: f32[3]
                output %n
              }
            """);
    assertThat(run(graph, truth(true), floats(1, 2, 3))).containsExactly(0, 0, 0);
    assertThat(run(graph, truth(false), floats(1, 2, 3))).containsExactly(-1, -2, -3);
  }

  @Test
  void aBranchWithAConditionKnownAtLoadIsInlined() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "3")
            .constant("three", 3)
            .node("Shape", "x", "s")
            .node("Equal", "s three", "c")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Neg", "x", "z").output("z")),
                attribute("else_branch", body().node("Relu", "x", "z").output("z")))
            .output("y");
    Graph graph = imported(model);
    assertThat(text(graph))
        .contains("%z: f32[3] = elementwise(%x) { neg(a0) }")
        .doesNotContain("if(");
    assertThat(graph.outputs().getFirst().name()).isEqualTo("y");
  }

  @Test
  void branchesBesideEachOtherMayUseTheSameNames() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Neg", "x", "z").output("z")),
                attribute("else_branch", body().node("Relu", "x", "z").output("z")))
            .output("y");
    Graph graph = imported(model);
    assertThat(run(graph, truth(true), floats(-1, 2, 3))).containsExactly(1, -2, -3);
    assertThat(run(graph, truth(false), floats(-1, 2, 3))).containsExactly(0, 2, 3);
  }

  @Test
  void aNameInABodyIsNoneThatTheBodySees() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .node("Neg", "x", "n")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Neg", "x", "n").output("n")),
                attribute("else_branch", body().node("Relu", "x", "late").output("late")))
            .node("Neg", "x", "late")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOfSatisfying(
            ModelException.class,
            e ->
                assertThat(e.problems())
                    .extracting(Object::toString)
                    .containsExactly(
                        "value 'n': is defined twice, by node '#0' (Neg) and by node '#0' (Neg)"));
  }

  @Test
  void problemsInBodiesAreReportedWithAllOthers() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .node(
                "If",
                "c",
                "y",
                attribute(
                    "then_branch",
                    body().node("Frobnicate", "x", "a").node("Neg", "later", "b").output("b")),
                attribute(
                    "else_branch",
                    body()
                        .node("Softmax", "x", "s", attribute("axis", 7))
                        .output("s")
                        .output("gone")))
            .node("Frobnicate", "x", "later")
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOfSatisfying(
            ModelException.class,
            e ->
                assertThat(e.problems())
                    .extracting(Object::toString)
                    .containsExactlyInAnyOrder(
                        "operator 'Frobnicate': is not supported, used by 2 nodes: '#0', '#0'",
                        "output 'gone' of a body: is made by no node",
                        "node '#0' (Softmax): axis 7 is outside [-1, 0]"));
  }

  @Test
  void branchesOfDifferentShapesNeedTheCondition() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Identity", "x", "a").output("a")),
                attribute(
                    "else_branch",
                    body()
                        .node("Size", "x", "s")
                        .node("Cast", "s", "b", attribute("to", 1))
                        .output("b")))
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("branches that give [f32[3]] and [f32[]]")
        .hasMessageContaining("the condition 'c' must be known at load");
    Graph graph = importedFor(model, Map.of("c", truth(false)));
    assertThat(run(graph, truth(false), floats(4, 5, 6))).containsExactly(3);
  }

  /* As of a DeBERTa, whose scripted functions ask how many axes and how many keys there are. */
  @Test
  void aConditionOverSizesThatNoBatchChangesIsKnownAtLoad() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "3")
            .constant("heads", 2, 0, -1)
            .constant("second", 1)
            .node("Concat", "x x", "twice", attribute("axis", 0))
            .node("Shape", "twice", "of")
            .node("Shape", "x", "other")
            .node("Gather", "of second", "a")
            .node("Gather", "other second", "b")
            .node("Equal", "a b", "same")
            .node("Not", "same", "differ")
            .node("Squeeze", "differ", "c")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Reshape", "x heads", "t").output("t")),
                attribute("else_branch", body().node("Neg", "x", "e").output("e")))
            .output("y");
    Graph graph = imported(model);
    assertThat(text(graph)).doesNotContain("if(");
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,3]");
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {2, 3}, 1.0, 2, 3, 4, 5, 6);
    assertThat(run(graph, x)).containsExactly(-1, -2, -3, -4, -5, -6);
  }

  /* As of a DPT, which makes a square of its tokens. */
  @Test
  void aRootOfASizeThatNoBatchChangesIsASize() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "16", "2")
            .constant("first", 0)
            .constant("second", 1)
            .constant("rest", -1)
            .node("Shape", "x", "s")
            .node("Gather", "s first", "n")
            .node("Gather", "s second", "tokens")
            .node("Cast", "tokens", "real", attribute("to", 1))
            .node("Sqrt", "real", "root")
            .node("Cast", "root", "side", attribute("to", 7))
            .node("Concat", "n side side rest", "shape", attribute("axis", 0))
            .node("Reshape", "x shape", "y")
            .output("y");
    assertThat(imported(model).outputs().getFirst().type()).hasToString("f32[N,4,4,2]");
  }

  /* As of a network of voices, whose branches take sounds of two rates. */
  @Test
  void aBranchThatDoesNotFitTheSizesNeedsTheCondition() {
    TestModel model =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "1", "3")
            .constant("first", 0)
            .constant("second", 1)
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", body().node("Squeeze", "x first", "a").output("a")),
                attribute("else_branch", body().node("Squeeze", "x second", "b").output("b")))
            .output("y");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("the condition 'c' must be known at load")
        .hasMessageContaining("(Squeeze): cannot squeeze axis 1");
    Graph graph = importedFor(model, Map.of("c", truth(true)));
    assertThat(
            run(
                graph,
                truth(true),
                SmallTensors.of(ElementType.F32, new long[] {1, 3}, new double[] {4, 5, 6})))
        .containsExactly(4, 5, 6);
    assertThatThrownBy(() -> importedFor(model, Map.of("c", truth(false))))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("cannot squeeze axis 1");
  }

  private static TestModel body(String... inputs) {
    TestModel body = TestModel.body();
    for (String input : inputs) {
      body.input(input, DataType.UNDEFINED);
    }
    return body;
  }

  /// `p ← p + x` in each iteration; `last` computes the condition.
  private static TestModel adding(TestModel last) {
    return last.node("Add", "p x", "n").output("go").output("n");
  }

  private static TestModel loop(TestModel start, String inputs, TestModel body, String outputs) {
    start.node("Loop", inputs, outputs, attribute("body", body));
    for (String output : outputs.split(" ")) {
      start.output(output);
    }
    return start;
  }

  private static TestModel start() {
    return TestModel.opset(17)
        .input("m", DataType.INT64)
        .input("c", DataType.BOOL)
        .floats("x", "2");
  }

  private static double[] runLoop(Graph graph, long trips, boolean condition) {
    return run(graph, whole(trips), truth(condition), floats(1, 10));
  }

  @Test
  void aLoopWithACountAndAnInitialConditionEndsWithEither() {
    Graph graph =
        imported(
            loop(start(), "m c x", adding(body("i", "k", "p").node("Identity", "k", "go")), "y"));
    assertThat(text(graph)).contains("= loop(%m, %c, %x, %x) {carried=1}");
    assertThat(runLoop(graph, 3, true)).containsExactly(4, 40);
    assertThat(runLoop(graph, 3, false)).containsExactly(1, 10);
    assertThat(runLoop(graph, 0, true)).containsExactly(1, 10);
  }

  @Test
  void aLoopWithoutACountRunsWhileItsConditionHolds() {
    TestModel body = body("i", "k", "p").constant("four", 4).node("Squeeze", "four", "f");
    Graph graph = imported(loop(start(), "- c x", adding(body.node("Less", "i f", "go")), "y"));
    assertThat(runLoop(graph, 0, true)).containsExactly(6, 60);
    assertThat(runLoop(graph, 0, false)).containsExactly(1, 10);
  }

  @Test
  void aLoopWithoutAConditionIgnoresThatOfItsBody() {
    TestModel body = body("i", "k", "p").node("Not", "k", "go");
    Graph graph = imported(loop(start(), "m - x", adding(body), "y"));
    assertThat(runLoop(graph, 5, false)).containsExactly(6, 60);
  }

  @Test
  void rowsOfAKnownNumberOfIterationsAreOneResult() {
    TestModel body =
        body("i", "k", "p")
            .node("Identity", "k", "go")
            .node("Add", "p x", "n")
            .node("Mul", "n n", "r")
            .output("go")
            .output("n")
            .output("r");
    TestModel model = start().constant("three", 3).node("Squeeze", "three", "t");
    Graph graph = imported(loop(model, "t - x", body, "y rows"));
    assertThat(graph.outputs())
        .extracting(v -> v.type().toString())
        .containsExactly("f32[2]", "f32[3,2]");
    List<Tensor> outputs = Interpreter.run(graph, List.of(whole(0), truth(true), floats(1, 10)));
    assertThat(SmallTensors.reals(outputs.get(1))).containsExactly(4, 400, 9, 900, 16, 1600);
  }

  @Test
  void rowsOfAnUnknownNumberOfIterationsNeedIt() {
    TestModel body = body("i", "k").node("Identity", "k", "go").output("go").output("x");
    TestModel model = loop(start(), "m c", body, "rows");
    assertThatThrownBy(() -> imported(model))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("makes a row in each iteration")
        .hasMessageContaining("the number of iterations must be known at load");
    Graph graph = importedFor(model, Map.of("m", whole(2), "c", truth(true)));
    assertThat(runLoop(graph, 2, true)).containsExactly(1, 10, 1, 10);
  }

  @Test
  void aBodyMayDeclareOneAxisForTheNumberOfTheIteration() {
    TestModel body =
        body()
            .input("i", DataType.INT64, "1")
            .input("k", DataType.BOOL, "1")
            .input("p", DataType.UNDEFINED)
            .node("Squeeze", "i", "number", integers("axes", 0))
            .node("Gather", "x number", "r")
            .node("Add", "p r", "n")
            .node("Squeeze", "k", "go", integers("axes", 0))
            .output("go")
            .output("n");
    TestModel start =
        TestModel.opset(11)
            .input("m", DataType.INT64)
            .input("c", DataType.BOOL)
            .floats("x", "2")
            .floats("first");

    Graph graph = imported(loop(start, "m c first", body, "y"));
    Tensor scalar = SmallTensors.of(ElementType.F32, new long[0], 5.0);

    assertThat(run(graph, whole(2), truth(true), floats(1, 10), scalar)).containsExactly(16);
  }

  @Test
  void rowsMayBeAsManyAsTheBatch() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "N", "2")
            .node("Shape", "x", "s", attribute("end", 1))
            .node("Squeeze", "s", "n")
            .node(
                "Loop",
                "n -",
                "rows",
                attribute(
                    "body",
                    body("i", "k")
                        .node("Gather", "x i", "r")
                        .node("Neg", "r", "v")
                        .output("k")
                        .output("v")))
            .output("rows");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,2]");
    assertThat(graph.isBatchable()).isFalse();
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {3, 2}, 1.0, 2, 3, 4, 5, 6);
    assertThat(run(graph, x)).containsExactly(-1, -2, -3, -4, -5, -6);
  }

  @Test
  void aLoopWhoseShapesDifferByIterationIsUnrolled() {
    TestModel body =
        body("i", "k", "p")
            .node("Concat", "p x", "n", attribute("axis", 0))
            .output("k")
            .output("n");
    TestModel model = start().constant("three", 3).node("Squeeze", "three", "t");
    Graph graph = imported(loop(model, "t - x", body, "y"));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[8]");
    assertThat(text(graph)).contains("iteration(%x) {number=0}").contains("{number=2}");
    assertThat(runLoop(graph, 0, true)).containsExactly(1, 10, 1, 10, 1, 10, 1, 10);
  }

  @Test
  void aLoopWhoseShapesDifferByIterationAndWhoseCountIsUnknownIsRefused() {
    TestModel body =
        body("i", "k", "p")
            .node("Concat", "p x", "n", attribute("axis", 0))
            .output("k")
            .output("n");
    assertThatThrownBy(() -> imported(loop(start(), "m c x", body, "y")))
        .isInstanceOf(NeedsSpecialisation.class)
        .hasMessageContaining("carries 'x', which is f32[2] before and f32[4] after an iteration");
  }

  @Test
  void unrollingEndsSomewhere() {
    TestModel body =
        body("i", "k", "p")
            .node("Concat", "p x", "n", attribute("axis", 0))
            .output("k")
            .output("n");
    TestModel model = start().constant("many", 1 << 20).node("Squeeze", "many", "t");
    assertThatThrownBy(() -> imported(loop(model, "t - x", body, "y")))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("are more than 100000 nodes");
  }

  @Test
  void bodiesInBodiesSeeAllThatIsAroundThem() {
    TestModel innermost = body().node("Mul", "p x", "v").output("v");
    TestModel other = body().node("Add", "p w", "v").output("v");
    TestModel inner =
        body("i", "k", "p")
            .node("Identity", "k", "go")
            .node(
                "If",
                "c",
                "n",
                attribute("then_branch", innermost),
                attribute("else_branch", other))
            .output("go")
            .output("n");
    TestModel model = start().constant("w0", 5).node("Cast", "w0", "w", attribute("to", 1));
    Graph graph = imported(loop(model, "m - x", inner, "y"));
    assertThat(runLoop(graph, 2, true)).containsExactly(1, 1000);
    assertThat(runLoop(graph, 2, false)).containsExactly(11, 20);
  }

  @Test
  void scanGoesOverAnyAxisInAnyDirection() {
    TestModel body = body("s", "e").node("Add", "s e", "n").output("n").output("n");
    TestModel model =
        TestModel.opset(17)
            .floats("s0", "2")
            .floats("x", "2", "3")
            .node(
                "Scan",
                "s0 x",
                "s sums",
                attribute("body", body),
                attribute("num_scan_inputs", 1),
                integers("scan_input_axes", -1),
                integers("scan_input_directions", 1),
                integers("scan_output_axes", 1),
                integers("scan_output_directions", 1))
            .output("sums")
            .output("s");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[2,3]");
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {2, 3}, 1.0, 2, 3, 10, 20, 30);
    List<Tensor> outputs = Interpreter.run(graph, List.of(floats(100, 1000), x));
    assertThat(SmallTensors.reals(outputs.get(0))).containsExactly(106, 105, 103, 1060, 1050, 1030);
    assertThat(SmallTensors.reals(outputs.get(1))).containsExactly(106, 1060);
  }

  @Test
  void scanOfOpset8HasABatchOfItsOwn() {
    TestModel body = body("s", "e").node("Add", "s e", "n").output("n").output("n");
    TestModel model =
        TestModel.opset(8)
            .floats("s0", "N", "1")
            .floats("x", "N", "3", "1")
            .node(
                "Scan",
                "- s0 x",
                "s sums",
                attribute("body", body),
                attribute("num_scan_inputs", 1),
                integers("directions", 1))
            .output("sums");
    Graph graph = imported(model);
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,3,1]");
    Tensor s0 = SmallTensors.of(ElementType.F32, new long[] {2, 1}, 100.0, 1000);
    Tensor x = SmallTensors.of(ElementType.F32, new long[] {2, 3, 1}, 1.0, 2, 3, 10, 20, 30);
    assertThat(run(graph, s0, x)).containsExactly(103, 105, 106, 1030, 1050, 1060);
  }

  @Test
  void aBodyOfTheWrongFormIsAProblem() {
    TestModel few = body("i").output("i");
    assertThatThrownBy(() -> imported(loop(start(), "m c x", few, "y")))
        .hasMessageContaining("carries 1 values, and its body has 1 inputs and 1 outputs");
    TestModel sequence =
        TestModel.body().input("i", DataType.UNDEFINED).sequence("k").output("i").output("i");
    assertThatThrownBy(() -> imported(loop(start(), "m c", sequence, "y")))
        .hasMessageContaining("a body whose input 'k' is no tensor (SEQUENCE_TYPE)");
    assertThatThrownBy(
            () -> imported(TestModel.opset(17).floats("x").node("If", "x", "y").output("y")))
        .hasMessageContaining("the condition x: f32[], which must be one bool");
  }

  @Test
  void anUnknownBodyIsAProblem() {
    TestModel model =
        start().node("If", "c", "y", attribute("when", body().output("x"))).output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("has attribute 'when', which If does not have")
        .hasMessageContaining("needs attribute 'then_branch'");
  }

  /* Each level is looked at once to see that its branches differ, and once more in its place. */
  @Test
  void branchesNestedToKeepTheImportBusyAreRefused() {
    TestModel nest = body().node("Flatten", "x", "d0");
    for (int depth = 1; depth <= 28; depth++) {
      nest =
          body()
              .node(
                  "If",
                  "c",
                  "d" + depth,
                  attribute("then_branch", nest.output("d" + (depth - 1))),
                  attribute("else_branch", body().node("Neg", "x", "e").output("e")));
    }
    TestModel whole =
        TestModel.opset(17)
            .input("c", DataType.BOOL)
            .floats("x", "3")
            .node(
                "If",
                "c",
                "y",
                attribute("then_branch", nest.output("d28")),
                attribute("else_branch", body().node("Neg", "x", "e").output("e")))
            .output("y");
    assertThatThrownBy(() -> importedFor(whole, Map.of("c", truth(true))))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("500,000th node to be looked at")
        .hasMessageContaining("nest fewer bodies");
  }
}
