package io.miniinference.ir;

/// A named tensor of a graph: an input, a constant, or the result of one node.
///
/// @param name unique in its graph; the ONNX name where the file has one
public record Value(String name, TensorType type) {
  /* Names are unique in a graph, and strings keep their hash. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + ": " + type;
  }
}
