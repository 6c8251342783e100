package io.miniinference.ir;

/// A named tensor of a graph: an input, a constant, or the result of one node.
///
/// @param name unique in its graph; the ONNX name where the file has one
public record Value(String name, TensorType type) {
  @Override
  public String toString() {
    return name + ": " + type;
  }
}
