package io.miniinference.bench.models;

import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import java.util.List;
import java.util.Optional;

/// Whole models without HTTP: on a CPU beside ONNX Runtime, on a GPU beside PyTorch.
public final class ModelsSuite implements Suite {
  @Override
  public String name() {
    return "models";
  }

  @Override
  public String description() {
    return "a request to a model, without HTTP: beside ONNX Runtime on a CPU, PyTorch on a GPU";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    return Optional.of(run(setting, false, this));
  }

  /// Measures a model of a user's, at batch 1 unless the setting selects others.
  public static SuiteResult measure(ModelFile file, Setting setting) {
    Setting one = setting.batches(List.of()).isEmpty() ? setting.withBatches(List.of(1)) : setting;
    return run(List.of(file), one, false, new ModelsSuite());
  }

  /// @param throughput whether images per second are told, and not the arena's bytes
  static SuiteResult run(Setting setting, boolean throughput, Suite suite) {
    return run(ModelFiles.of(setting), setting, throughput, suite);
  }

  private static SuiteResult run(
      List<ModelFile> files, Setting setting, boolean throughput, Suite suite) {
    var findings = new Findings(suite, ModelBench.BATCH, setting);
    try (RoomyEngine engine = new RoomyEngine(setting.engine());
        Peers peers = Peers.of(engine.any().device().kind(), setting)) {
      var workload = Workload.of(engine.any().device().kind(), throughput, setting);
      var bench = new ModelBench(engine, setting, workload, peers.all(), findings);
      peers.missing().forEach(findings::note);
      files.forEach(bench::run);
      return findings.result(MeasuredDevice.of(engine.any().device()));
    }
  }
}
