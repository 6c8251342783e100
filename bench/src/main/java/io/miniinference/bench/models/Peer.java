package io.miniinference.bench.models;

import module java.base;

import io.miniinference.bench.measure.Entrant;
import io.miniinference.ir.Tensor;

/// Another engine that runs ONNX models. Where it cannot do what it is asked for, the rest of the
/// run goes on without it.
interface Peer extends AutoCloseable {

  /// With its version.
  String name();

  /// Gets ready to run a model on a feed.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  /// @throws io.miniinference.bench.measure.BenchException if it cannot
  Runs prepare(Path model, Feed feed, List<Tensor> outputs);

  @Override
  default void close() {}

  /// A model and a feed that can be run.
  interface Runs extends AutoCloseable {

    /// What it computes, in the model's order.
    List<Tensor> outputs();

    /// Its ways of running with inputs and outputs in such memory.
    List<Entrant> entrants(Memory memory);

    /// What a reader must know, such as a way of running that failed.
    default List<String> notes() {
      return List.of();
    }

    @Override
    default void close() {}
  }
}
