package io.miniinference.bench.models;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import java.util.Optional;

/// Whole models on the JVM device: what a host without OpenCL serves.
public final class JvmSuite implements Suite {
  @Override
  public String name() {
    return "jvm";
  }

  @Override
  public String description() {
    return "a request to a model on the JVM device, in plain Java";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    EngineOptions usual = setting.engine();
    var options =
        new EngineOptions(usual.poolBytes(), "jvm", null, null, usual.codegen(), usual.cache());
    var onJvm =
        new Setting(
            options,
            setting.selection(),
            setting.threads(),
            setting.python(),
            setting.quick(),
            setting.progress());
    return Optional.of(ModelsSuite.run(Engine.open(options), onJvm, Course.ofJvm(onJvm), this));
  }
}
