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

/// What a way of planning memory means for time: models as they are planned, beside the same in
/// another way.
public final class PlanningSuite implements Suite {
  private static final List<Integer> BATCHES = List.of(1, 32, 256);

  private final String name;
  private final String description;
  private final Planning other;
  private final String otherName;

  private PlanningSuite(String name, String description, Planning other, String otherName) {
    this.name = name;
    this.description = description;
    this.other = other;
    this.otherName = otherName;
  }

  /// Whether it costs time that tensors share memory.
  public static PlanningSuite sharing() {
    return new PlanningSuite(
        "sharing",
        "a request with tensors that share memory beside one with memory for each",
        Planning.defaults().withoutSharing().withRows(false),
        "memory for each");
  }

  /// What it gains that rows go through a whole model a few at a time.
  public static PlanningSuite rows() {
    return new PlanningSuite(
        "rows",
        "a batch that goes through the model row by row beside one that goes step by step",
        Planning.defaults().withRows(false),
        "step by step");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(this, "batch", setting);
    EngineOptions usual = usual(setting.engine());
    EngineOptions changed = usual.withPlanning(other);
    try (Engine engine = Engines.open(usual);
        Engine beside = Engines.open(changed.withPool(room(changed, setting, findings)))) {
      var both =
          new SideBySide(
              new SideBySide.Variant(name, engine),
              new SideBySide.Variant(otherName, beside),
              BATCHES,
              setting,
              findings);
      both.runAll();
      both.summarise();
      return Optional.of(findings.result(MeasuredDevice.of(engine.device())));
    }
  }

  /* Rows share less, and are looked at for themselves. */
  private EngineOptions usual(EngineOptions options) {
    return options.withPlanning(Planning.defaults().withRows(name.equals("rows")));
  }

  /// A pool that holds each of the models, planned so.
  private static long room(EngineOptions options, Setting setting, Findings findings) {
    int batch = Collections.max(setting.batches(BATCHES));
    LoadOptions load = setting.loadOptions(batch);
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
