package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static io.miniinference.runtime.SharedEngine.floats;
import static io.miniinference.runtime.SharedEngine.longs;
import static io.miniinference.runtime.SharedEngine.shape;
import static io.miniinference.runtime.SharedEngine.wholes;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.GatheredOperandTest.Outcome;
import io.miniinference.testing.device.OnEachDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Failures in bodies: the first of each row in the order of iterations, with the iteration of the
/// innermost loop around the node, and no wait more than a request without them has.
@OnEachDevice(optimised = false)
final class BodyFailuresTest extends EnginePerTest {
  private Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults().withMaxBatch(8));
  }

  /// Runs a request that fails, and one that does not before and after it, which give the same and
  /// wait as often.
  private List<String> failures(Model model, Tensor[] good, Tensor... bad) {
    Outcome clean = outcome(model, good);
    assertThat(clean.messages()).isEmpty();
    long waits = waits(model, good);
    assertThat(waits(model, bad)).isEqualTo(waits);
    List<String> messages = outcome(model, bad).messages();
    assertThat(outcome(model, good).bytes()).isEqualTo(clean.bytes());
    return messages;
  }

  private long waits(Model model, Tensor... inputs) {
    DriverCalls before = engine().driverCalls();
    outcome(model, inputs);
    return engine().driverCalls().waits() - before.waits();
  }

  private static Outcome outcome(Model model, Tensor... inputs) {
    return GatheredOperandTest.outcome(model, inputs);
  }

  private static Tensor[] inputs(Tensor... inputs) {
    return inputs;
  }

  private static Tensor zeros(int rows) {
    return floats(shape(rows), new float[rows]);
  }

  private static String index(String node, long index, int size, int row, int iteration, int at) {
    return "node '%s' (Gather): index %d is outside [%d, %d] on axis 0, at row %d, iteration %d, position %d"
        .formatted(node, index, -size, size - 1, row, iteration, at);
  }

  private static LoopModels around() {
    return graph()
        .input("i", DataType.INT64, "N")
        .input("h", DataType.FLOAT, "N")
        .floats("five", new long[] {5}, 1, 2, 3, 4, 5)
        .whole("three", 3);
  }

  @Test
  void theIterationOfTheInnerOfTwoLoops() {
    LoopModels inner =
        graph()
            .inputs("n go p")
            .node("im = Add i m")
            .node("k = Add im n")
            .node("e = Gather five k")
            .node("s = Add p e")
            .node("more = Identity go")
            .outputs("more s");
    LoopModels outer =
        graph()
            .inputs("m goes q")
            .node("r = Loop three - q", attribute("body", inner))
            .node("on = Identity goes")
            .outputs("on r");
    OnnxModel nested =
        around().node("y = Loop three - h", attribute("body", outer)).outputs("y").model("nested");
    assertThat(
            failures(
                load(nested),
                inputs(longs(shape(3), 0, 0, 0), zeros(3)),
                longs(shape(3), 0, 2, 3),
                zeros(3)))
        .as("row 2 in iterations 0 and 2, row 1 in 1 and 2")
        .containsExactly(index("e_Gather", 5, 5, 2, 2, 2), index("e_Gather", 5, 5, 1, 2, 1));
  }

  @Test
  void aScanBackwardsInABranch() {
    LoopModels body =
        graph().inputs("p k").node("e = Gather five k").node("s = Add p e").outputs("s");
    LoopModels then =
        graph()
            .node(
                "t = Scan h ks",
                attribute("body", body),
                attribute("num_scan_inputs", 1),
                LoopModels.attributes("scan_input_axes", 1),
                LoopModels.attributes("scan_input_directions", 1))
            .outputs("t");
    LoopModels otherwise = graph().node("o = Gather five i").outputs("o");
    OnnxModel branching =
        around()
            .input("ks", DataType.INT64, "N", "4")
            .input("which", DataType.BOOL)
            .node(
                "y = If which", attribute("then_branch", then), attribute("else_branch", otherwise))
            .outputs("y")
            .model("branching");
    Model model = load(branching);
    Tensor i = longs(shape(2), 5, -6);
    Tensor ks = longs(shape(2, 4), 0, 9, 0, -6, 7, 0, 8, 0);
    Tensor[] good = inputs(longs(shape(2), 0, 1), zeros(2), longs(shape(2, 4), new long[8]), yes());
    assertThat(failures(model, good, i, zeros(2), ks, yes()))
        .containsExactly(index("e_Gather", -6, 5, 0, 0, 0), index("e_Gather", 8, 5, 1, 1, 1));
    Tensor no = wholes(ElementType.BOOL, shape(), 0);
    assertThat(failures(model, good, i, zeros(2), ks, no))
        .containsExactly(
            "node 'o_Gather' (Gather): index 5 is outside [-5, 4] on axis 0, at row 0, position 0",
            "node 'o_Gather' (Gather): index -6 is outside [-5, 4] on axis 0, at row 1, position 1");
  }

  private static Tensor yes() {
    return wholes(ElementType.BOOL, shape(), 1);
  }

  /// What one iteration finds is where the next one looks.
  @Test
  void indicesThatAreCarried() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("q = Gather next p")
            .node("more = Identity go")
            .outputs("more q");
    OnnxModel following =
        graph()
            .input("s", DataType.INT64, "N")
            .wholes("next", 1, 2, 7, 0, -6, 4)
            .whole("four", 4)
            .node("y = Loop four - s", attribute("body", body))
            .outputs("y")
            .model("following");
    Tensor[] good = inputs(longs(shape(2), -1, 4));
    assertThat(failures(load(following), good, longs(shape(6), 3, 0, 2, 5, 6, 1)))
        .containsExactly(
            index("q_Gather", 6, 6, 4, 0, 4),
            index("q_Gather", 7, 6, 2, 1, 2),
            index("q_Gather", 7, 6, 5, 2, 5),
            index("q_Gather", 7, 6, 1, 3, 1));
  }

  @Test
  void divisionsInALoopThatTheDeviceEnds() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .floats("three", new long[0], 3)
            .node("d = Sub i n")
            .node("q = Div hundred d")
            .node("f = Cast q", attribute("to", 1))
            .node("c = Mul f nothing")
            .node("one = Add c unit")
            .node("s = Add p one")
            .node("m = ReduceMax s", attribute("keepdims", 0))
            .node("more = Less m three")
            .outputs("more s");
    OnnxModel dividing =
        around()
            .whole("hundred", 100)
            .floats("nothing", new long[0], 0)
            .floats("unit", new long[0], 1)
            .input("goes", DataType.BOOL)
            .node("y = Loop - goes h", attribute("body", body))
            .outputs("y")
            .model("dividing");
    Tensor[] good = inputs(longs(shape(4), 9, 9, 9, 9), zeros(4), yes());
    Tensor i = longs(shape(4), 9, 2, 0, 3);
    assertThat(failures(load(dividing), good, i, zeros(4), yes()))
        .containsExactly(
            "node 'q_Div' (Div): division by zero, at row 2, iteration 0, position 2",
            "node 'q_Div' (Div): division by zero, at row 1, iteration 2, position 1");
  }

  /// What does not differ by iteration fails in the first one, if there is one.
  @Test
  void whatIsTheSameInEachIteration() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("e = Gather five i")
            .node("s = Add p e")
            .node("more = Identity go")
            .outputs("more s");
    OnnxModel looping =
        around()
            .input("trips", DataType.INT64)
            .node("y = Loop trips - h", attribute("body", body))
            .outputs("y")
            .model("looping");
    Model model = load(looping);
    Tensor i = longs(shape(3), 0, 5, 1);
    Tensor[] good = inputs(longs(shape(3), 0, 1, 2), zeros(3), longs(shape(), 3));
    assertThat(failures(model, good, i, zeros(3), longs(shape(), 3)))
        .containsExactly(index("e_Gather", 5, 5, 1, 0, 1));
    assertThat(failures(model, good, i, zeros(3), longs(shape(), 0))).isEmpty();
  }

  /// A carried value that grows is another graph in each iteration.
  @Test
  void aLoopThatIsWrittenOut() {
    LoopModels body =
        graph()
            .inputs("n go p")
            .node("k = Gather ks n", attribute("axis", 1))
            .node("e = Gather rows k")
            .node("s = Concat p e", attribute("axis", 1))
            .node("more = Identity go")
            .outputs("more s");
    OnnxModel growing =
        graph()
            .input("ks", DataType.INT64, "N", "3")
            .input("h", DataType.FLOAT, "N", "1")
            .floats("rows", new long[] {4, 2}, 1, 2, 3, 4, 5, 6, 7, 8)
            .whole("three", 3)
            .node("y = Loop three - h", attribute("body", body))
            .outputs("y")
            .model("growing");
    Tensor h = floats(shape(3, 1), 0, 0, 0);
    Tensor[] good = inputs(longs(shape(3, 3), 0, 1, 2, 3, -1, -2, -3, -4, 0), h);
    Tensor ks = longs(shape(3, 3), 0, 1, 4, 3, -5, -2, -3, -4, 0);
    assertThat(failures(load(growing), good, ks, h))
        .containsExactly(index("e_Gather", -5, 4, 1, 1, 1), index("e_Gather", 4, 4, 0, 2, 0));
  }
}
