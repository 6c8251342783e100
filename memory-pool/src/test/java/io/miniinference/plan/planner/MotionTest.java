package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.TargetConstraints;
import io.miniinference.plan.coalesce.LowerBound;
import io.miniinference.plan.live.TimedStep;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
    LoopBuffers.Window window = p.window("rows[i]", rows);
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
            new LoopBuffers(0, List.of(window), List.of()));
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
  void aRowOfAnySizeIsBuiltInItsPlaceForKernelsThatReadNoVectors() {
    Program program = stacking(1023, () -> p.compute(p.floats("row", 1023), x));
    TargetConstraints plain =
        new TargetConstraints() {
          @Override
          public int vectorBytes() {
            return 1;
          }

          @Override
          public boolean canRun(Step before, Step moved) {
            return true;
          }

          @Override
          public boolean canTransfer(Array array) {
            return true;
          }
        };
    MemoryPlan plan =
        plan(
            new Program("plain", program.body(), program.blocks(), List.of(), plain),
            PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
  }

  @Test
  void theVerifierRefusesRowsThatDoNotFollowEachOther() {
    Array rows = p.floats("rows", ROWS, 1024);
    Array sparse =
        rows.view("sparse", rows.index().slice(0, Affine.ZERO, 2, Affine.of(2)).orElseThrow());
    p.compute(sparse);
    int at = p.nextNumber();
    p.openBody();
    LoopBuffers.Window window = p.window("rows[i]", sparse);
    p.put(p.compute(p.floats("row", 1024), x), window);
    Body steps = p.closeBody("loop/", Body.Kind.LOOP, List.of(sparse), List.of(sparse));
    Body body =
        new Body(
            "loop/",
            Body.Kind.LOOP,
            List.of(sparse),
            steps.steps(),
            List.of(sparse),
            new LoopBuffers(0, List.of(window), List.of()));
    p.loop(at, List.of(sparse), List.of(sparse.view("all", sparse.index())), body);
    Program program = p.build(sparse.view("all", sparse.index()));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(plan(program, PlanOptions.upTo(1))))
        .withMessageContaining("is no row of 'sparse'");
  }

  /* A loop over one state: `next` makes what an iteration hands on, `after` what is read later. */
  private Program carrying(int fewest, Array initial, UnaryOperator<Array> next, Array... after) {
    Array state = p.floats("state", 1024);
    Array start = p.copy(state.view("start", state.index()), initial);
    int at = p.nextNumber();
    p.openBody();
    Array made = next.apply(state);
    Array carried = p.copy(state.view("carried", state.index()), made);
    Body steps = p.closeBody("loop/", Body.Kind.LOOP, List.of(state), List.of(carried));
    Body body =
        new Body(
            steps.name(),
            steps.kind(),
            steps.parameters(),
            steps.steps(),
            steps.results(),
            new LoopBuffers(fewest, List.of(), List.of()));
    Array result = state.view("result", state.index());
    p.loop(at, List.of(start), List.of(result), body);
    List<Array> results = new ArrayList<>(List.of(result));
    results.addAll(List.of(after));
    return p.build(results.toArray(Array[]::new));
  }

  private Array increment(Array state) {
    return p.elementwise(p.floats("made", 1024), state);
  }

  @Test
  void theFirstIterationReadsTheInitialValueWhereItLies() {
    MemoryPlan plan = plan(carrying(2, x, this::increment, x), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(2 * 4096);
    assertThat(plan.refused()).isEmpty();
  }

  @Test
  void aLoopThatMayHaveNoIterationCopiesItsInitialValue() {
    MemoryPlan plan = plan(carrying(0, x, this::increment, x), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).containsExactly("start");
  }

  @Test
  void anInitialValueThatIsWrittenOverTooEarlyIsCopied() {
    Array whole = p.floats("whole", 1024);
    Array initial = p.compute(whole.view("initial", whole.index()), x);
    Program program =
        carrying(
            2,
            initial,
            state -> {
              Array over = p.compute(whole.view("over", whole.index()), x);
              return p.elementwise(p.floats("made", 1024), over, state);
            });
    MemoryPlan plan = plan(program, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).contains("start");
  }

  @Test
  void theVerifierRefusesAPointerToTheWrongValue() {
    Array other = p.compute(p.floats("other", 1024), x);
    MemoryPlan plan = plan(carrying(2, x, this::increment, x, other), PlanOptions.upTo(1));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                pointing(plan, p -> new LoopBuffers.Pointer(p.block(), other, p.next()))))
        .withMessageContaining("is another step than in the program");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                pointing(plan, p -> new LoopBuffers.Pointer(p.block(), p.first(), other))))
        .withMessageContaining("does not hand on what 'state' points to");
  }

  /* The plan with another pointer. */
  private static MemoryPlan pointing(MemoryPlan plan, UnaryOperator<LoopBuffers.Pointer> change) {
    return moving(
        plan,
        motion ->
            new LoopBuffers(
                motion.fewest(),
                motion.windows(),
                motion.pointers().stream().map(change).toList(),
                motion.alternations()));
  }

  private static MemoryPlan moving(MemoryPlan plan, UnaryOperator<LoopBuffers> change) {
    Program program = plan.program();
    List<Step> steps = program.body().steps().stream().map(s -> moving(s, change)).toList();
    Body body = program.body();
    return new MemoryPlan(
        plan.source(),
        program.with(new Body("", body.kind(), body.parameters(), steps, body.results())),
        plan.lifetimes(),
        plan.merges(),
        plan.refused(),
        plan.placements());
  }

  private static Step moving(Step step, UnaryOperator<LoopBuffers> change) {
    List<Body> bodies =
        step.bodies().stream()
            .map(body ->
                new Body(
                    body.name(),
                    body.kind(),
                    body.parameters(),
                    body.steps(),
                    body.results(),
                    change.apply(body.motion())))
            .toList();
    return step.with(step.kind(), bodies);
  }

  @Test
  void theVerifierRefusesAPointerToWhatIsWrittenOverTooEarly() {
    MemoryPlan plan =
        plan(
            carrying(
                2,
                x,
                state -> {
                  Array early = p.compute(p.floats("early", 1024));
                  return p.elementwise(p.floats("made", 1024), state, early);
                },
                x),
            PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    Block early =
        plan.program().blocks().stream()
            .filter(b -> b.name().equals("early"))
            .findFirst()
            .orElseThrow();
    Placement placement = plan.placement(1);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                plan.with(List.of(placement.withOffset(early, placement.offsetBytes(x.block()))))))
        .withMessageContaining("reads 'state#0'");
  }

  /* What must not be written over the state it reads, as a matrix product must not. */
  private Array product(Array state) {
    return p.compute(p.floats("made", 1024), state);
  }

  @Test
  void aStateThatIsReadUntilTheNextIsMadeAlternatesBetweenTwoPlaces() {
    MemoryPlan plan = plan(carrying(2, x, this::product), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
    assertThat(plan.motions().stream().flatMap(m -> m.alternations().stream())).hasSize(1);
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(2 * 4096);
  }

  @Test
  void alsoInALoopThatMayHaveNoIteration() {
    MemoryPlan plan = plan(carrying(0, x, this::product), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(plan.motions().stream().flatMap(m -> m.alternations().stream())).hasSize(1);
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(2 * 4096);
  }

  @Test
  void alsoWhereTheFirstValueIsReadElsewhere() {
    MemoryPlan plan = plan(carrying(2, x, this::product, x), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(copies(plan)).isEmpty();
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(3 * 4096);
  }

  /* A loop over two states, of which the one changes place itself and the other does not. */
  private Array inner(Array outer) {
    Array a = p.floats("a", 1024);
    Array b = p.floats("b", 1024);
    Array startOfA = p.copy(a.view("start of a", a.index()), x);
    Array startOfB = p.copy(b.view("start of b", b.index()), x);
    int at = p.nextNumber();
    p.openBody();
    Array nextOfA = p.compute(p.floats("next of a", 1024), b, outer);
    Array nextOfB = p.compute(p.floats("next of b", 1024), a, x);
    Array carriedA = p.copy(a.view("carried a", a.index()), nextOfA);
    Array carriedB = p.copy(b.view("carried b", b.index()), nextOfB);
    Body body = p.closeBody("inner/", Body.Kind.LOOP, List.of(a, b), List.of(carriedA, carriedB));
    Array endOfA = a.view("end of a", a.index());
    Array endOfB = b.view("end of b", b.index());
    p.loop(at, List.of(startOfA, startOfB), List.of(endOfA, endOfB), body);
    return endOfB;
  }

  @Test
  void alsoWhereAnInnerLoopThatDoesSoMakesTheNext() {
    MemoryPlan plan = plan(carrying(0, x, this::inner), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(plan.motions()).map(m -> m.alternations().size()).containsExactly(1, 1);
    assertThat(copies(plan)).containsExactly("start", "start of a", "start of b");
    Placement placement = plan.placement(1);
    long ofB = placement.offsetBytes(block(plan, "b"));
    Placement over = placement.withOffset(block(plan, "a"), ofB);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(plan.with(List.of(over))))
        .withMessageContaining("but bytes there hold 'start of b#0'");
  }

  /* One of the program's own blocks. */
  private static Block block(MemoryPlan plan, String name) {
    return plan.source().blocks().stream()
        .filter(b -> b.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theVerifierRefusesTwoPlacesOfWhichOneIsNeededElsewhere() {
    Array other = p.compute(p.floats("other", 1024), x);
    MemoryPlan plan = plan(carrying(2, x, this::product, other), PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                alternating(
                    plan, a -> new LoopBuffers.Alternation(a.block(), other, a.odd(), a.copy()))));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                alternating(
                    plan, a -> new LoopBuffers.Alternation(a.block(), a.even(), other, a.copy()))))
        .withMessageContaining("does not hand on 'made' by turns");
  }

  @Test
  void theVerifierRefusesTwoPlacesThatAreOne() {
    MemoryPlan plan = plan(carrying(2, x, this::product), PlanOptions.upTo(1));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                alternating(
                    plan,
                    a -> new LoopBuffers.Alternation(a.block(), a.odd(), a.odd(), a.copy()))));
  }

  @Test
  void theVerifierRefusesAStateThatNothingBringsHome() {
    MemoryPlan plan = plan(carrying(2, x, this::product), PlanOptions.upTo(1));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                alternating(
                    plan, a -> new LoopBuffers.Alternation(a.block(), a.even(), a.odd(), 0))))
        .withMessageContaining("does not hand on 'made' by turns");
  }

  /* The plan with another alternation. */
  private static MemoryPlan alternating(
      MemoryPlan plan, UnaryOperator<LoopBuffers.Alternation> change) {
    return moving(
        plan,
        motion ->
            new LoopBuffers(
                motion.fewest(),
                motion.windows(),
                motion.pointers(),
                motion.alternations().stream().map(change).toList()));
  }
}
