package io.miniinference.bench.planner;

import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.repository.ModelFile;
import java.util.List;
import java.util.Optional;

/// How long planning takes, verification included.
public final class PlannerSuite implements Suite {
  private static final int MAX_BATCH = 256;

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
    var findings = new Findings(this, "", setting);
    for (ModelFile file : ModelFiles.of(setting)) {
      setting.say("planner: %s", file.name());
      findings.attempt(file.name(), () -> time(file, setting, findings));
    }
    return Optional.of(findings.result(MeasuredDevice.java()));
  }

  private static void time(ModelFile file, Setting setting, Findings findings) {
    Program program = Programs.ofModel(file.path());
    Timing timing =
        setting.quick()
            ? Timing.of(3, 20, 0, Slice.of(0, 20, 1))
            : Timing.of(20, 3_000, 0, Slice.of(0, 300, 3));
    Rounds rounds = Rounds.run(List.of(new InProcess(() -> plan(program))), timing);
    Parameters steps = Parameters.of("steps", program.body().steps().size());
    findings.add(file.name(), steps, "plan and proof", Unit.MICROSECONDS, rounds.spread(0));
  }

  private static void plan(Program program) {
    Programs.sound(VerifiedPlan.of(program, PlanOptions.upTo(MAX_BATCH)));
  }
}
