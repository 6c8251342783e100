package io.miniinference.bench.onnxruntime;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.nio.file.Path;
import java.util.List;

/// ONNX Runtime on the CPU through its Java API, set up as its documentation advises for speed: all
/// optimisations, memory patterns, threads that spin between operators.
final class OnnxRuntimePeer implements Peer {
  private final OrtEnvironment environment;
  private final int threads;

  private OnnxRuntimePeer(OrtEnvironment environment, int threads) {
    this.environment = environment;
    this.threads = threads;
  }

  /// @throws PeerException if its native library cannot be loaded
  static OnnxRuntimePeer open(int threads) {
    try {
      return new OnnxRuntimePeer(OrtEnvironment.getEnvironment(), threads);
    } catch (LinkageError | IllegalStateException e) {
      throw new PeerException("ONNX Runtime cannot be loaded: " + e, e);
    }
  }

  @Override
  public String name() {
    return "ONNX Runtime " + environment.getVersion();
  }

  @Override
  public Runs prepare(Path model, Feed feed, List<Tensor> outputs) {
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      OrtSession session = environment.createSession(model.toString(), options);
      return OnnxRuntimeRuns.of(name(), environment, session, feed, outputs);
    } catch (OrtException e) {
      throw new PeerException(name() + ": " + e.getMessage(), e);
    }
  }

  /// The environment lives as long as the process.
  @Override
  public void close() {}
}
