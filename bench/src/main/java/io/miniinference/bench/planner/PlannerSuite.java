package io.miniinference.bench.planner;

import io.miniinference.bench.jmh.JmhRun;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.planner.PlannerBenchmark.Family;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;

/// How long planning takes, verification included.
public final class PlannerSuite implements Suite {
  private static final List<Integer> NETWORK_STEPS = List.of(250, 500, 1_000, 2_000, 4_000);
  private static final int SYNTHETIC_STEPS = 1_000;

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
    List<Subject> subjects = subjects(setting);
    setting.say("planner: %d programs, 10 s each", subjects.size());
    List<Measurement> figures =
        subjects.stream().map(subject -> figure(subject, measured(subject, setting))).toList();
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

  /// What is planned.
  ///
  /// @param name as people know it
  /// @param parameters of the benchmark
  private record Subject(String name, int steps, Map<String, String> parameters) {
    static Subject of(ModelFile model) {
      int steps = Programs.ofModel(model.path()).body().steps().size();
      return new Subject(model.name(), steps, Map.of("file", model.path().toString()));
    }

    static Subject of(Family family, int steps) {
      return new Subject(
          family.text(), steps, Map.of("family", family.name(), "steps", "" + steps));
    }
  }

  private static List<Subject> subjects(Setting setting) {
    List<Subject> subjects =
        new ArrayList<>(ModelFiles.of(setting).stream().map(Subject::of).toList());
    NETWORK_STEPS.forEach(steps -> subjects.add(Subject.of(Family.NETWORK, steps)));
    subjects.add(Subject.of(Family.SYNTHETIC, SYNTHETIC_STEPS));
    return subjects;
  }

  private static RunResult measured(Subject subject, Setting setting) {
    var options = JmhRun.options(PlannerBenchmark.class, setting);
    subject.parameters().forEach(options::param);
    return JmhRun.run(options).iterator().next();
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
