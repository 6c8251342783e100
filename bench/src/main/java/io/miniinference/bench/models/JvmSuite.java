package io.miniinference.bench.models;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import java.util.Optional;

/// Whole models on the JVM device: what a host without OpenCL serves.
public final class JvmSuite implements Suite {
  @Override
  public String name() {
    return "jvm";
  }

  @Override
  public String description() {
    return "a request to a model on the JVM device, which computes with the Vector API";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    return Optional.of(ModelsSuite.run(setting.onJvm(), true, this));
  }
}
