package io.miniinference.bench.failures;

import io.miniinference.bench.models.SideBySide;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.open.Engines;
import java.util.List;
import java.util.Optional;

/// What failure checks cost: models with and without them, in turn in one process; and what a
/// failing batch costs more than one that does not fail.
public final class FailuresSuite implements Suite {
  private static final List<Integer> BATCHES = List.of(1, 64);

  @Override
  public String name() {
    return "failures";
  }

  @Override
  public String description() {
    return "a request with failure checks beside one without, and batches of which rows fail";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(this, "batch", setting);
    try (Engine checked = Engines.open(setting.engine());
        Engine unchecked = Engines.open(setting.engine().withFailureChecks(false))) {
      var costs =
          new SideBySide(
              new SideBySide.Variant("checks on", checked),
              new SideBySide.Variant("checks off", unchecked),
              BATCHES,
              setting,
              findings);
      costs.runAll();
      if (setting.selection().models().isEmpty()) {
        GatherGraphs.all().forEach(costs::run);
      }
      costs.summarise();
      new FailingBatches(checked, setting, findings).run();
      return Optional.of(findings.result(MeasuredDevice.of(checked.device())));
    }
  }
}
