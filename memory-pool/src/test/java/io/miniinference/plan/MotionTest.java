package io.miniinference.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.miniinference.layout.Affine;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What lies elsewhere in each iteration of a loop.
final class MotionTest {
  private static final int ROWS = 4;
  private final ProgramBuilder p = new ProgramBuilder();
  private final Array x = p.input("x", 1024);

  private static MemoryPlan plan(Program program, PlanOptions options) {
    return Planner.planAt(program, 1, options);
  }

  private static List<String> copies(MemoryPlan plan) {
    return plan.lifetimes().steps().stream()
        .map(TimedStep::step)
        .filter(step -> step.kind() == Step.Kind.COPY)
        .map(Step::name)
        .toList();
  }

  /* A loop over nothing but rows of `width` floats, each a copy of what `value` makes in the body. */
  private Program stacking(int width, Supplier<Array> value) {
    return stacking(width, value, () -> {});
  }

  private Program stacking(int width, Supplier<Array> value, Runnable after) {
    Array rows = p.compute(p.floats("rows", ROWS, width));
    int at = p.nextNumber();
    p.openBody();
    Array made = value.get();
    Motion.Window window = p.window("rows[i]", rows);
    p.put(made, window);
    after.run();
    Body steps = p.closeBody("loop/", Body.Kind.LOOP, List.of(rows), List.of(rows));
    Body body =
        new Body(
            steps.name(),
            steps.kind(),
            steps.parameters(),
            steps.steps(),
            steps.results(),
            new Motion(List.of(window)));
    Array all = rows.view("all", rows.index());
    p.loop(at, List.of(rows), List.of(all), body);
    return p.build(all);
  }

  @Test
  void aRowIsBuiltWhereItBelongs() {
    Program program = stacking(1024, () -> p.compute(p.floats("row", 1024), x));
    MemoryPlan plan = plan(program, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
    assertThat(plan.placement(1).plannedBytes()).isEqualTo((1 + ROWS) * 4096);
    assertThat(LowerBound.bytes(program, 1)).isEqualTo((1 + ROWS) * 4096);
  }

  @Test
  void sc5WhatOutlivesAnIterationIsNotBuiltInItsRow() {
    Array outer = p.compute(p.floats("outer", 1024), x);
    Program program = stacking(1024, () -> outer);
    PlanOptions options = PlanOptions.upTo(1);
    MemoryPlan plan = plan(program, options);
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).containsExactly("rows[i]");
    assertThat(plan.refused()).map(RefusedMerge::toString).contains("outer -> rows[i]: SC5");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(plan(program, options.ignoring(Condition.SC5))));
  }

  @Test
  void sc5ARowIsNotWrittenAnyMoreOnceItIsOneOfAll() {
    Array row = p.floats("row", 1024);
    Array late = p.floats("late", 1024);
    Program program = stacking(1024, () -> p.compute(row, x), () -> p.elementwise(late, row));
    PlanOptions options = PlanOptions.upTo(1);
    MemoryPlan plan = plan(program, options);
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
    assertThat(plan.refused()).map(RefusedMerge::toString).contains("row -> late: WORSE");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(plan(program, options.ignoring(Condition.SC5))))
        .withMessageContaining("writes 'late' into 'rows[i]', which is one of the rows already");
  }

  @Test
  void aRowThatKernelsCannotReadAsVectorsIsCopied() {
    Program program = stacking(1023, () -> p.compute(p.floats("row", 1023), x));
    MemoryPlan plan = plan(program, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(plan.refused()).map(RefusedMerge::toString).contains("row -> rows[i]: LAYOUT");
  }

  @Test
  void theVerifierRefusesRowsThatDoNotFollowEachOther() {
    Array rows = p.floats("rows", ROWS, 1024);
    Array sparse =
        rows.view("sparse", rows.index().slice(0, Affine.ZERO, 2, Affine.of(2)).orElseThrow());
    p.compute(sparse);
    int at = p.nextNumber();
    p.openBody();
    Motion.Window window = p.window("rows[i]", sparse);
    p.put(p.compute(p.floats("row", 1024), x), window);
    Body steps = p.closeBody("loop/", Body.Kind.LOOP, List.of(sparse), List.of(sparse));
    Body body =
        new Body(
            "loop/",
            Body.Kind.LOOP,
            List.of(sparse),
            steps.steps(),
            List.of(sparse),
            new Motion(List.of(window)));
    p.loop(at, List.of(sparse), List.of(sparse.view("all", sparse.index())), body);
    Program program = p.build(sparse.view("all", sparse.index()));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(plan(program, PlanOptions.upTo(1))))
        .withMessageContaining("is no row of 'sparse'");
  }
}
