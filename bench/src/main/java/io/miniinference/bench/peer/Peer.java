package io.miniinference.bench.peer;

import io.miniinference.ir.Tensor;
import java.nio.file.Path;
import java.util.List;

/// Another engine that runs ONNX models.
public interface Peer extends AutoCloseable {

  /// With its version.
  String name();

  /// Gets ready to run a model on a feed.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  /// @throws PeerException if it cannot
  Runs prepare(Path model, Feed feed, List<Tensor> outputs);

  @Override
  void close();

  /// A model and a feed that can be run.
  interface Runs extends AutoCloseable {

    /// What it computes, in the model's order.
    List<Tensor> outputs();

    List<ModelRunner> runners();

    /// What a reader must know, such as a way of running that failed.
    default List<String> notes() {
      return List.of();
    }

    @Override
    void close();
  }
}
