/// ONNX models in a Java process: tensors in and out by name, from one planned, fixed pool of
/// device memory.
module io.miniinference.engine {
  requires static org.jspecify;
  requires transitive io.miniinference.kernels;

  exports io.miniinference.engine;
}
