package io.miniinference.testing;

import io.miniinference.onnx.wire.TensorProto.DataType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Models of little else but data-dependent accesses, where checks of indices and divisors cost
/// most: each index tensor is an input, and 32 and more elements lie on each axis that is indexed.
/// A CPU goes over rows in another way where some of their indices count from the end, so that some
/// models are there twice.
public final class GatherModels {
  /// Name of an input of indices of which half count from the end.
  public static final String BOTH_ENDS = "both_ends";

  private static final String FROM_START = "i";

  private GatherModels() {}

  /// All of them, by name.
  public static Map<String, TestModel> all() {
    Map<String, TestModel> all = new LinkedHashMap<>();
    for (String i : List.of(FROM_START, BOTH_ENDS)) {
      String ending = i.equals(BOTH_ENDS) ? "-both-ends" : "";
      all.put("embedding-bag" + ending, embeddingBag(i));
      all.put("gather-elements" + ending, elements(i));
      all.put("gather-nd" + ending, tuples(i));
      all.put("scatter-chain" + ending, scatterChain(i));
    }
    all.put("embedding-softmax", embeddingSoftmax());
    all.put("divisions", divisions());
    return all;
  }

  private static TestModel model() {
    return TestModel.opset(18).output("y");
  }

  /// Means of 32 rows each out of a table.
  public static TestModel embeddingBag() {
    return embeddingBag(FROM_START);
  }

  private static TestModel embeddingBag(String i) {
    return model()
        .reals("table", 4096, 64)
        .constant("axes", 1)
        .longs(i, "N,32")
        .node("Gather", "table " + i, "rows", "axis=0")
        .node("ReduceMean", "rows axes", "y", "keepdims=0");
  }

  private static TestModel embeddingSoftmax() {
    return model()
        .reals("table", 1024, 64)
        .longs(FROM_START, "N,16")
        .node("Gather", "table i", "rows", "axis=0")
        .node("Softmax", "rows", "y", "axis=2");
  }

  private static TestModel elements(String i) {
    return model()
        .floats("x", "N,1024")
        .longs(i, "N,1024")
        .node("GatherElements", "x " + i, "y", "axis=1");
  }

  private static TestModel tuples(String i) {
    return model()
        .floats("x", "N,32,32,4")
        .longs(i, "N,256,2")
        .node("GatherND", "x " + i, "y", "batch_dims=1");
  }

  private static TestModel scatterChain(String i) {
    return model()
        .floats("x", "N,256")
        .longs(i, "N,64")
        .floats("u", "N,64")
        .node("ScatterElements", "x " + i + " u", "a", "axis=1")
        .node("GatherElements", "a " + i, "b", "axis=1")
        .node("ScatterElements", "a " + i + " b", "c", "axis=1")
        .node("GatherElements", "c " + i, "d", "axis=1")
        .node("ScatterElements", "c " + i + " d", "y", "axis=1");
  }

  private static TestModel divisions() {
    return model()
        .input("a", DataType.INT32, "N,4096")
        .input("b", DataType.INT32, "N,4096")
        .node("Div", "a b", "q")
        .node("Mod", "a b", "r", "fmod=0")
        .node("Add", "q r", "y");
  }
}
