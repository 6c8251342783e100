package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static io.miniinference.runtime.SharedEngine.floats;
import static io.miniinference.runtime.SharedEngine.longs;
import static io.miniinference.runtime.SharedEngine.shape;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import java.util.ArrayList;
import java.util.List;

/// Models with sizes in branches and loops of which only the device knows whether they are taken,
/// and how often they run.
abstract class UndecidedSizes extends EnginePerTest {
  final Model load(OnnxModel model) {
    return engine().load(model, LoadOptions.defaults());
  }

  static List<String> failures(Model model, Tensor... inputs) {
    return reports(model, inputs).stream().map(FailureReport::message).toList();
  }

  static List<FailureReport> reports(Model model, Tensor... inputs) {
    return catchThrowableOfType(
            RequestFailedException.class,
            () -> model.infer(SharedEngine.request(inputs), _ -> true))
        .failures();
  }

  static List<Float> result(Model model, Tensor... inputs) {
    return model.infer(
        SharedEngine.request(inputs),
        outputs -> {
          List<Float> values = new ArrayList<>();
          var data = outputs.getFirst().data();
          for (long at = 0; at < data.byteSize(); at += Float.BYTES) {
            values.add(data.get(java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED, at));
          }
          return values;
        });
  }

  final long waits(Model model, Tensor... inputs) {
    DriverCalls before = engine().driverCalls();
    GatheredOperandTest.outcome(model, inputs);
    return engine().driverCalls().waits() - before.waits();
  }

  static Tensor one(long value) {
    return longs(shape(1), value);
  }

  /// Larger than what the host looks at, so that only the device can tell what it adds up to.
  static Tensor many(float sum) {
    float[] values = new float[5000];
    values[4321] = sum;
    return floats(shape(values.length), values);
  }

  static LoopModels around() {
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

  static Tensor rows(float... values) {
    return floats(shape(values.length), values);
  }

  static Tensor indices(long... values) {
    return longs(shape(values.length), values);
  }

  static String index(String node, long index, int row) {
    return "node '%s' (Gather): index %d is outside [-4, 3] on axis 0, at row %d, position %d"
        .formatted(node, index, row, row);
  }

  static String size(long size, String place) {
    return "node 'z_ConstantOfShape' (ConstantOfShape): negative size %d on axis 0%s"
        .formatted(size, place);
  }

  static LoopModels makingASize() {
    return graph()
        .node("a = Gather four i")
        .node("z = ConstantOfShape k")
        .node("s = ReduceSum z", attribute("keepdims", 0))
        .node("b = Gather four i")
        .node("t = Sum a b s")
        .outputs("t");
  }

  /// What is [#around], with `y` from one of two branches behind it.
  static LoopModels deciding(LoopModels around, LoopModels then, LoopModels otherwise) {
    return around.node(
        "y = If isPositive", attribute("then_branch", then), attribute("else_branch", otherwise));
  }

  static OnnxModel branching(LoopModels then, LoopModels otherwise) {
    return deciding(around().node("before = Gather four i"), then, otherwise)
        .node("after = Gather four i")
        .outputs("y before after")
        .model("branching");
  }

  static LoopModels adding() {
    return graph().node("o = Add h h").outputs("o");
  }

  /// As often as the device says.
  static LoopModels looping(LoopModels body) {
    return around()
        .input("trips", DataType.FLOAT, "5000")
        .node("sums = ReduceSum trips", attribute("keepdims", 0))
        .node("times = Cast sums", attribute("to", DataType.INT64.getNumber()))
        .node("y = Loop times isPositive h", attribute("body", body))
        .node("after = Gather four i")
        .outputs("y after");
  }

  static LoopModels summing() {
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
}
