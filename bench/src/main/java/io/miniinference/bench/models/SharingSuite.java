package io.miniinference.bench.models;

import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Planning;
import io.miniinference.runtime.open.Engines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Whether it costs time that tensors share memory: models as they are planned, beside the same
/// with bytes of its own for every tensor.
public final class SharingSuite implements Suite {
  private static final List<Integer> BATCHES = List.of(1, 32, 256);

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
    var findings = new Findings(this, "batch", setting);
    EngineOptions usual = setting.engine();
    EngineOptions apart = usual.withPlanning(Planning.defaults().withoutSharing());
    try (Engine shared = Engines.open(usual);
        Engine separate = Engines.open(apart.withPool(room(apart, setting, findings)))) {
      var both =
          new SideBySide(
              new SideBySide.Variant("sharing", shared),
              new SideBySide.Variant("memory for each", separate),
              BATCHES,
              setting,
              findings);
      both.runAll();
      both.summarise();
      return Optional.of(findings.result(MeasuredDevice.of(shared.device())));
    }
  }

  /// A pool that holds each of the models when nothing in it shares memory.
  private static long room(EngineOptions options, Setting setting, Findings findings) {
    int batch = Collections.max(setting.batches(BATCHES));
    LoadOptions load = LoadOptions.defaults().withMaxBatch(batch);
    List<Long> rooms = new ArrayList<>(List.of(options.poolBytes()));
    try (Engine engine = Engines.open(options)) {
      for (ModelFile file : ModelFiles.of(setting)) {
        findings.attempt(
            file.name(), () -> rooms.add(Plans.roomBytes(engine, Plans.read(file), load)));
      }
    }
    return Collections.max(rooms);
  }
}
