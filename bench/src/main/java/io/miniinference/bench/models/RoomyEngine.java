package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module tools.jackson.databind;

import io.miniinference.bench.measure.BenchException;

/// An engine with the usual pool, and one with a larger pool in its place as soon as a model needs
/// it.
final class RoomyEngine implements AutoCloseable {
  private static final long GRAIN = 1 << 20;

  private final String name;
  private final EngineOptions usual;
  private Engine engine;

  /// @param name as tables show it
  RoomyEngine(String name, EngineOptions usual) {
    this.name = name;
    this.usual = usual;
    engine = Engines.open(usual);
  }

  String name() {
    return name;
  }

  /// The one that is open.
  Engine engine() {
    return engine;
  }

  /// Makes room for a model with its largest batch.
  ///
  /// @throws BenchException if the device has none
  void makeRoom(OnnxModel model, LoadOptions options) {
    PlanReport plan = engine.plan(model, options, options.maxBatch());
    long wanted = Math.ceilDiv(fields(plan).path("reservedBytes").asLong(), GRAIN) * GRAIN;
    long most = engine.device().maxPoolBytes();
    if (wanted > most) {
      throw new BenchException(
          "it needs a pool of %,d bytes at batch %d, and %s can give %,d; set --batch lower"
              .formatted(wanted, options.maxBatch(), engine.device().name(), most));
    }
    if (wanted > engine.pool().statistics().capacityBytes()) {
      engine.close();
      try {
        engine = Engines.open(usual.withPool(wanted));
      } catch (DeviceException e) {
        engine = Engines.open(usual);
        throw e;
      }
    }
  }

  /// The fields of `./mie plan --json`.
  static JsonNode fields(PlanReport plan) {
    return JsonMapper.shared().readTree(plan.json());
  }

  @Override
  public void close() {
    engine.close();
  }
}
