package io.miniinference.bench.models;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PlanReport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Figures of memory plans.
public final class Plans {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long GRAIN = 1 << 20;

  private Plans() {}

  /// The fields of `./mie plan --json`.
  static JsonNode of(PlanReport report) {
    return JSON.readTree(report.json());
  }

  /// Bytes of the arena of one request: row by row, where it goes so.
  static long arenaBytes(PlanReport report) {
    JsonNode plan = of(report);
    return plan.path("rows").path("arenaBytes").asLong(plan.path("plannedBytes").asLong());
  }

  public static OnnxModel read(ModelFile file) {
    return OnnxReader.read(file.name(), file.path(), ReadLimits.defaults());
  }

  /// A pool's capacity, in whole MiB, that holds a model with its largest batch.
  static long roomBytes(Engine engine, OnnxModel model, LoadOptions options) {
    PlanReport report = engine.plan(model, options, options.maxBatch());
    return Math.ceilDiv(of(report).path("reservedBytes").asLong(), GRAIN) * GRAIN;
  }
}
