package io.miniinference.bench.planner;

import static java.util.Objects.requireNonNull;

import io.miniinference.bench.jmh.JmhRun;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;

/// How long planning takes, verification included.
public final class PlannerSuite implements Suite {
  private static final String FILE = "file";

  @Override
  public String name() {
    return "planner";
  }

  @Override
  public String description() {
    return "a memory plan with its verification, for nine buckets up to batch 256";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    Map<String, Subject> subjects = subjects(setting);
    setting.say("planner: %d programs, 10 s each", subjects.size());
    var options =
        JmhRun.options(PlannerBenchmark.class, setting)
            .param(FILE, subjects.keySet().toArray(String[]::new));
    List<Measurement> figures =
        JmhRun.run(options).stream()
            .map(result ->
                figure(requireNonNull(subjects.get(result.getParams().getParam(FILE))), result))
            .toList();
    return Optional.of(
        new SuiteResult(
            name(),
            description(),
            MeasuredDevice.java(),
            "",
            figures,
            List.of(),
            List.of(),
            List.of()));
  }

  /// What is planned, as people know it.
  private record Subject(String name, int steps) {}

  private static Map<String, Subject> subjects(Setting setting) {
    Map<String, Subject> subjects = new LinkedHashMap<>();
    for (ModelFile model : ModelFiles.of(setting)) {
      int steps = Programs.ofModel(model.path()).body().steps().size();
      subjects.put(model.path().toString(), new Subject(model.name(), steps));
    }
    subjects.put(
        PlannerBenchmark.SYNTHETIC,
        new Subject(PlannerBenchmark.SYNTHETIC, PlannerBenchmark.SYNTHETIC_STEPS));
    return subjects;
  }

  private static Measurement figure(Subject subject, RunResult result) {
    return new Measurement(
        subject.name(),
        Parameters.of("steps", subject.steps()),
        "plan and proof",
        Unit.MICROSECONDS,
        JmhRun.spread(result));
  }
}
