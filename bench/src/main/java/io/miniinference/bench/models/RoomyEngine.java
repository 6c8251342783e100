package io.miniinference.bench.models;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.open.Engines;
import org.jspecify.annotations.Nullable;

/// An engine with the usual pool, and one with a larger pool in its place as soon as a model needs
/// it.
public final class RoomyEngine implements AutoCloseable {
  private final EngineOptions usual;
  private @Nullable Engine engine;

  public RoomyEngine(EngineOptions usual) {
    this.usual = usual;
  }

  public Engine any() {
    if (engine == null) {
      engine = Engines.open(usual);
    }
    return engine;
  }

  /// One that holds a model.
  public Engine holding(OnnxModel model, LoadOptions options) {
    long wanted = Plans.roomBytes(any(), model, options);
    if (wanted <= any().pool().statistics().capacityBytes()) {
      return any();
    }
    close();
    engine = Engines.open(usual.withPool(wanted));
    return engine;
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
