package io.miniinference.bench.models;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Planning;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Whether it costs time that tensors share memory: models as they are planned, beside the same
/// with bytes of its own for every tensor.
public final class SharingSuite implements Suite {
  private static final List<Integer> BATCHES = List.of(1, 32, 256);
  private static final long GRAIN = 1 << 20;

  @Override
  public String name() {
    return "sharing";
  }

  @Override
  public String description() {
    return "a request with tensors that share memory beside one with memory for each";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    List<OnnxModel> models =
        ModelFiles.of(setting).stream()
            .map(file -> OnnxReader.read(file.name(), file.path(), ReadLimits.defaults()))
            .toList();
    EngineOptions usual = setting.engine();
    EngineOptions apart = usual.withPlanning(Planning.defaults().withoutSharing());
    try (Engine shared = Engine.open(usual);
        Engine separate = Engine.open(apart.withPool(room(apart, models, setting)))) {
      var both =
          new SideBySide(
              new SideBySide.Variant("sharing", shared),
              new SideBySide.Variant("memory for each", separate),
              BATCHES,
              setting);
      models.forEach(both::run);
      return Optional.of(both.result(this, List.of(), List.of()));
    }
  }

  /// A pool that holds each of the models when nothing in it shares memory.
  private static long room(EngineOptions options, List<OnnxModel> models, Setting setting) {
    List<Integer> chosen = setting.selection().batches();
    int batch = Collections.max(chosen.isEmpty() ? BATCHES : chosen);
    LoadOptions load = LoadOptions.defaults().withMaxBatch(batch);
    try (Engine engine = Engine.open(options)) {
      long most =
          models.stream()
              .map(model -> Plans.of(engine.plan(model, load, batch)))
              .mapToLong(plan -> plan.path("reservedBytes").asLong())
              .max()
              .orElse(0);
      return Math.max(options.poolBytes(), Math.ceilDiv(most, GRAIN) * GRAIN);
    }
  }
}
