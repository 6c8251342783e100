package io.miniinference.bench.onnxruntime;

import io.miniinference.bench.peer.Peer;
import java.util.Optional;

/// Looks whether ONNX Runtime is on the class path: it comes with the sources, and not with a
/// bundle.
public final class OnnxRuntime {
  private OnnxRuntime() {}

  /// @param threads that it may compute with
  public static Optional<Peer> find(int threads) {
    try {
      Class.forName("ai.onnxruntime.OrtEnvironment", false, OnnxRuntime.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
    return Optional.of(new OnnxRuntimePeer(threads));
  }
}
