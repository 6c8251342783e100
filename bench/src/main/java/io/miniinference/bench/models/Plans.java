package io.miniinference.bench.models;

import io.miniinference.bench.suite.Setting;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PlanReport;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Figures of memory plans.
final class Plans {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long GRAIN = 1 << 20;

  private Plans() {}

  /// The fields of `./mie plan --json`.
  static JsonNode of(PlanReport report) {
    return JSON.readTree(report.json());
  }

  /// An engine whose pool holds each of the models: the one given, or a larger one in its place.
  static Engine withRoom(Engine engine, Setting setting, Course course, List<ModelFile> models) {
    long wanted = models.stream().mapToLong(file -> reserved(engine, file, course)).max().orElse(0);
    if (wanted <= engine.pool().statistics().capacityBytes()) {
      return engine;
    }
    engine.close();
    return Engine.open(setting.engine(Math.ceilDiv(wanted, GRAIN) * GRAIN));
  }

  private static long reserved(Engine engine, ModelFile file, Course course) {
    LoadOptions options = course.loadOptions();
    var model = OnnxReader.read(file.name(), file.path(), ReadLimits.defaults());
    return of(engine.plan(model, options, options.maxBatch())).path("reservedBytes").asLong();
  }
}
