package io.miniinference.bench.models;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.open.Engines;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An engine with the usual pool, and one with a larger pool in its place as soon as a model needs
/// it.
final class RoomyEngine implements AutoCloseable {
  private static final long GRAIN = 1 << 20;

  private final EngineOptions usual;
  private @Nullable Engine engine;

  RoomyEngine(EngineOptions usual) {
    this.usual = usual;
  }

  Engine any() {
    if (engine == null) {
      engine = Engines.open(usual);
    }
    return engine;
  }

  /// One that holds a model with its largest batch.
  ///
  /// @throws BenchException if the device has no room for it
  Engine holding(OnnxModel model, LoadOptions options) {
    PlanReport plan = any().plan(model, options, options.maxBatch());
    long wanted = Math.ceilDiv(fields(plan).path("reservedBytes").asLong(), GRAIN) * GRAIN;
    long most = any().device().maxPoolBytes();
    if (wanted > most) {
      throw new BenchException(
          "it needs a pool of %,d bytes at batch %d, and %s can give %,d; set --batch lower"
              .formatted(wanted, options.maxBatch(), any().device().name(), most));
    }
    if (wanted > any().pool().statistics().capacityBytes()) {
      close();
      engine = Engines.open(usual.withPool(wanted));
    }
    return any();
  }

  /// The fields of `./mie plan --json`.
  static JsonNode fields(PlanReport plan) {
    return JsonMapper.shared().readTree(plan.json());
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
