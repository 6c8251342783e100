package io.miniinference.bench.models;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
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
    long usual = EngineOptions.defaults(setting.engine().cache()).poolBytes();
    Engine engine = Engine.open(setting.engine(usual));
    Course course = Course.of(engine.device().kind(), setting);
    return Optional.of(run(engine, setting, course, this));
  }

  /// Measures the selected models on an engine, and closes it.
  static SuiteResult run(Engine engine, Setting setting, Course course, Suite suite) {
    List<ModelFile> files = ModelFiles.of(setting);
    try (Engine roomy = Plans.withRoom(engine, setting, course, files);
        Peers peers = Peers.of(roomy.device().kind(), setting)) {
      var bench = new ModelBench(roomy, setting, course, peers.all());
      peers.missing().forEach(bench::note);
      files.forEach(bench::run);
      return bench.result(suite.name(), suite.description());
    }
  }
}
