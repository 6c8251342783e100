package io.miniinference.bench.failures;

import io.miniinference.bench.peer.Feed;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import java.util.List;

/// Models of little else but data-dependent accesses, where checks cost most: each index tensor is
/// an input, and 32 and more elements lie on each axis that is indexed. A CPU goes over rows in
/// another way where some of their indices count from the end, so that some models are there twice.
final class GatherGraphs {
  private GatherGraphs() {}

  /// Where indices count from.
  private enum Ends {
    START("", "i"),
    BOTH("-both-ends", Feed.BOTH_ENDS);

    private final String variant;
    private final String indices;

    /// @param variant ending of a model's name
    /// @param indices name of the input of indices
    Ends(String variant, String indices) {
      this.variant = variant;
      this.indices = indices;
    }
  }

  static List<OnnxModel> all() {
    return List.of(
        embeddingBag(),
        embeddingBag(Ends.BOTH),
        embeddingSoftmax(),
        elements(Ends.START),
        elements(Ends.BOTH),
        tuples(Ends.START),
        tuples(Ends.BOTH),
        scatterChain(Ends.START),
        scatterChain(Ends.BOTH),
        divisions());
  }

  private static TestModel model() {
    return TestModel.opset(18);
  }

  /// Means of 32 rows each out of a table.
  static OnnxModel embeddingBag() {
    return embeddingBag(Ends.START);
  }

  private static OnnxModel embeddingBag(Ends ends) {
    return model()
        .reals("table", 4096, 64)
        .constant("axes", 1)
        .longs(ends.indices, "N,32")
        .node("Gather", "table " + ends.indices, "rows", "axis=0")
        .node("ReduceMean", "rows axes", "y", "keepdims=0")
        .output("y")
        .read("embedding-bag" + ends.variant);
  }

  private static OnnxModel embeddingSoftmax() {
    return model()
        .reals("table", 1024, 64)
        .longs("i", "N,16")
        .node("Gather", "table i", "rows", "axis=0")
        .node("Softmax", "rows", "y", "axis=2")
        .output("y")
        .read("embedding-softmax");
  }

  private static OnnxModel elements(Ends ends) {
    return model()
        .floats("x", "N,1024")
        .longs(ends.indices, "N,1024")
        .node("GatherElements", "x " + ends.indices, "y", "axis=1")
        .output("y")
        .read("gather-elements" + ends.variant);
  }

  private static OnnxModel tuples(Ends ends) {
    return model()
        .floats("x", "N,32,32,4")
        .longs(ends.indices, "N,256,2")
        .node("GatherND", "x " + ends.indices, "y", "batch_dims=1")
        .output("y")
        .read("gather-nd" + ends.variant);
  }

  private static OnnxModel scatterChain(Ends ends) {
    String i = ends.indices;
    return model()
        .floats("x", "N,256")
        .longs(i, "N,64")
        .floats("u", "N,64")
        .node("ScatterElements", "x " + i + " u", "a", "axis=1")
        .node("GatherElements", "a " + i, "b", "axis=1")
        .node("ScatterElements", "a " + i + " b", "c", "axis=1")
        .node("GatherElements", "c " + i, "d", "axis=1")
        .node("ScatterElements", "c " + i + " d", "y", "axis=1")
        .output("y")
        .read("scatter-chain" + ends.variant);
  }

  private static OnnxModel divisions() {
    return model()
        .input("a", DataType.INT32, "N,4096")
        .input("b", DataType.INT32, "N,4096")
        .node("Div", "a b", "q")
        .node("Mod", "a b", "r", "fmod=0")
        .node("Add", "q r", "y")
        .output("y")
        .read("divisions");
  }
}
