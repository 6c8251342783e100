package io.miniinference.service.fuzz;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.service.fullstack.OpenModel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// A model that fuzzed requests ask: of each kind whose work, sizes or failures follow from what a
/// request brings.
enum FuzzedModel {
  TEXT(
      m -> m.longs("ids", "batch,seq").counting("table", 10, 2).node("Gather", "table ids", "y"),
      "batch,seq,2",
      "ids INT64 [1,2] [1,9]"),
  TILED(
      m -> m.floats("x", "N,3").longs("counts", "2").node("Tile", "x counts", "y"),
      "?,?",
      "x FP32 [1,3] [1,2,3];counts INT64 [2] [1,2]"),
  ZEROS(
      m -> m.longs("counts", "2").node("ConstantOfShape", "counts", "y"),
      "?,?",
      "counts INT64 [2] [2,3]"),
  RANGE(
      m -> m.floats("a", "").floats("b", "").floats("c", "").node("Range", "a b c", "y"),
      "?",
      "a FP32 [] [1];b FP32 [] [5];c FP32 [] [1]"),
  SCATTERED(
      m ->
          m.longs("i", "n,1")
              .floats("v", "n,2")
              .counting("data", 4, 2)
              .node("ScatterND", "data i v", "y"),
      "4,2",
      "i INT64 [1,1] [3];v FP32 [1,2] [1,2]"),
  RESIZED(
      m -> m.floats("x", "1,1,h,w").longs("sizes", "4").node("Resize", "x   sizes", "y"),
      "?,?,?,?",
      "x FP32 [1,1,2,2] [1,2,3,4];sizes INT64 [4] [1,1,4,4]"),
  SCALED(
      m -> m.floats("x", "1,1,h,w").floats("s", "4").node("Resize", "x  s", "y"),
      "?,?,?,?",
      "x FP32 [1,1,2,2] [1,2,3,4];s FP32 [4] [1,1,2,2]"),
  PADDED(
      m -> m.floats("x", "n,m").longs("pads", "4").node("Pad", "x pads", "y"),
      "?,?",
      "x FP32 [1,2] [1,2];pads INT64 [4] [0,1,0,1]"),
  SLICED(
      m ->
          m.floats("x", "n,m")
              .longs("from", "1")
              .longs("to", "1")
              .list("axes", 1)
              .longs("steps", "1")
              .node("Slice", "x from to axes steps", "y"),
      "?,?",
      "x FP32 [1,4] [1,2,3,4];from INT64 [1] [0];to INT64 [1] [3];steps INT64 [1] [2]"),
  RESHAPED(
      m -> m.floats("x", "n,m").longs("s", "2").node("Reshape", "x s", "y"),
      "?,?",
      "x FP32 [1,4] [1,2,3,4];s INT64 [2] [2,-1]"),
  EXPANDED(
      m -> m.floats("x", "n,1").longs("s", "2").node("Expand", "x s", "y"),
      "?,?",
      "x FP32 [2,1] [1,2];s INT64 [2] [2,3]"),
  ONE_HOT(
      m -> m.longs("i", "n").longs("d", "").counting("v", 2).node("OneHot", "i d v", "y"),
      "n,?",
      "i INT64 [2] [0,1];d INT64 [] [3]"),
  SUMMED(
      m -> m.floats("x", "n,m").longs("axis", "").node("CumSum", "x axis", "y"),
      "n,m",
      "x FP32 [2,2] [1,2,3,4];axis INT64 [] [1]"),
  PRODUCT(
      m -> m.floats("a", "n,k").floats("b", "k,m").node("MatMul", "a b", "y"),
      "n,m",
      "a FP32 [1,2] [1,2];b FP32 [2,1] [3,4]"),
  POOLED(
      m -> m.floats("x", "batch,1,h,w").node("GlobalMaxPool", "x", "y"),
      "batch,1,1,1",
      "x FP32 [1,1,2,2] [1,2,3,4]"),
  PLANNED(m -> m.floats("x", "batch,3").node("Neg", "x", "y"), "batch,3", "x FP32 [1,3] [1,2,3]"),
  FLAGS(m -> cast(m, DataType.BOOL), "batch,2", "x BOOL [1,2] [true,false]"),
  BYTES(m -> cast(m, DataType.UINT8), "batch,2", "x UINT8 [1,2] [1,255]"),
  SHORTS(m -> cast(m, DataType.INT16), "batch,2", "x INT16 [1,2] [1,-1]"),
  INTS(m -> cast(m, DataType.UINT32), "batch,2", "x UINT32 [1,2] [1,4294967295]"),
  LONGS(m -> cast(m, DataType.UINT64), "batch,2", "x UINT64 [1,2] [1,18446744073709551615]"),
  HALVES(m -> cast(m, DataType.FLOAT16), "batch,2", "x FP16 [1,2] [1.5,-2]"),
  DOUBLES(m -> cast(m, DataType.DOUBLE), "batch,2", "x FP64 [1,2] [1.5,1e300]");

  private final UnaryOperator<OpenModel> nodes;
  private final String output;
  private final List<String[]> inputs;

  /// @param output dimensions of the output `y`
  /// @param inputs of a good request, `name TYPE shape data`, with semicolons between
  FuzzedModel(UnaryOperator<OpenModel> nodes, String output, String inputs) {
    this.nodes = nodes;
    this.output = output;
    this.inputs = Arrays.stream(inputs.split(";")).map(input -> input.split(" ")).toList();
  }

  private static OpenModel cast(OpenModel model, DataType type) {
    return model.input("x", type, "batch,2").node("Cast", "x", "y", "to=1");
  }

  void write(Path repository) {
    nodes.apply(new OpenModel()).output("y", output).write(repository, name());
  }

  /// The inputs of a good request, each as name, type, shape and data.
  List<String[]> inputs() {
    return inputs;
  }

  /// The body of a good request.
  String json() {
    return inputs.stream()
        .map(i ->
            "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"data\":%s}"
                .formatted((Object[]) i))
        .collect(Collectors.joining(",", "{\"inputs\":[", "]}"));
  }
}
