package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.miniinference.plan.Array;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.Step;
import io.miniinference.plan.TargetConstraints;
import io.miniinference.plan.verify.PlanVerifier;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How the planner's work grows with a program, counted in operations and bytes instead of in time.
final class PlannerWorkTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /* Each layer reads a Concat of all values before it, so that steps grow with their square. */
  private static Program dense(int layers, TargetConstraints kernels) {
    ProgramBuilder p = new ProgramBuilder();
    List<Array> values = new ArrayList<>(List.of(p.input("x", 64)));
    for (int k = 1; k <= layers; k++) {
      Array all = p.concat("all" + k, 0, values.toArray(Array[]::new));
      values.add(p.compute(p.floats("layer" + k, 64), all));
    }
    Program built = p.build(values.getLast());
    return new Program("dense", built.body(), built.blocks(), List.of(), kernels);
  }

  /* TargetConstraints that can do anything, and count how often they are asked. */
  private static final class Counting implements TargetConstraints {
    private long asked;

    @Override
    public boolean canRun(Step before, Step moved) {
      asked++;
      return true;
    }

    @Override
    public boolean canTransfer(Array array) {
      return true;
    }
  }

  private record Work(MemoryPlan plan, double askedPerStep, double bytesPerStep) {
    static Work of(int layers) {
      Counting kernels = new Counting();
      Program program = dense(layers, kernels);
      long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().threadId());
      MemoryPlan plan = Planner.planAt(program, 1, PlanOptions.upTo(1));
      long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before;
      int steps = plan.lifetimes().steps().size();
      return new Work(plan, (double) kernels.asked / steps, (double) bytes / steps);
    }
  }

  @Test
  void aDenseProgramTakesAboutTheSameForEachOfItsSteps() {
    Work few = Work.of(20);
    Work many = Work.of(80);
    assertThat(many.plan.lifetimes().steps()).hasSizeGreaterThan(12 * 250);
    assertThat(many.askedPerStep).isLessThan(1.25 * few.askedPerStep);
    assertThat(many.bytesPerStep).isLessThan(2 * few.bytesPerStep);
  }

  @Test
  void aDenseProgramIsOneBlockWithoutACopy() {
    MemoryPlan plan = Work.of(40).plan;
    PlanVerifier.verify(plan);
    assertThat(plan.lifetimes().steps().stream().map(t -> t.step().kind()))
        .doesNotContain(Step.Kind.COPY);
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(41 * 256);
  }
}
