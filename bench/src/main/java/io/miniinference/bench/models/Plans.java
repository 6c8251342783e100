package io.miniinference.bench.models;

import io.miniinference.bench.suite.BenchException;
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
    return of(report).path("rows").path("arenaBytes").asLong(plannedBytes(report));
  }

  /// Bytes of the tensors of one request that goes step by step.
  public static long plannedBytes(PlanReport report) {
    return of(report).path("plannedBytes").asLong();
  }

  public static OnnxModel read(ModelFile file) {
    return OnnxReader.read(file.name(), file.path(), ReadLimits.defaults());
  }

  /// A pool's capacity, in whole MiB, that holds a model with its largest batch.
  ///
  /// @throws BenchException if the device has no room for it
  static long roomBytes(Engine engine, OnnxModel model, LoadOptions options) {
    PlanReport report = engine.plan(model, options, options.maxBatch());
    long bytes = Math.ceilDiv(of(report).path("reservedBytes").asLong(), GRAIN) * GRAIN;
    long most = engine.device().maxPoolBytes();
    if (bytes > most) {
      throw new BenchException(
          "it needs a pool of %,d bytes at batch %d, and %s can give %,d; set --batch lower"
              .formatted(bytes, options.maxBatch(), engine.device().name(), most));
    }
    return bytes;
  }
}
