package io.miniinference.bench.onnxruntime;

import io.miniinference.bench.measure.BenchException;

/// Looks whether ONNX Runtime is on the class path: it comes with the sources, and not with a
/// bundle.
public final class OnnxRuntime {
  private OnnxRuntime() {}

  /// @throws BenchException if it is not there
  public static OnnxRuntimePeer open(int threads) {
    try {
      Class.forName("ai.onnxruntime.OrtEnvironment", false, OnnxRuntime.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new BenchException("no jar of it is on the class path", e);
    }
    return new OnnxRuntimePeer(threads);
  }
}
