package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import io.miniinference.plan.verify.VerifiedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

/// Plans that were broken on purpose: the verifier names what is wrong with each.
final class MutationTest {
  private final ProgramBuilder p = new ProgramBuilder();
  private final Array x = p.input("x", 1024);
  private final Array a = p.compute(p.floats("a", 1024), x);
  private final Array b = p.compute(p.floats("b", 1024), a);
  private final Array view =
      p.view("view", a, a.index().reshape(ProgramBuilder.shape(32, 32)).orElseThrow());
  private final Array c = p.compute(p.floats("c", 1024), b);
  private final Array d = p.compute(p.floats("d", 1024), view, c);
  private final Program program = p.build(d);

  private static Placement plan(Program of) {
    return Planner.planAt(of, 1, PlanOptions.upTo(1)).placement(1);
  }

  /* A plan without merges. */
  private static MemoryPlan unmerged(Program of, Placement placement) {
    return new MemoryPlan(of, of, Lifetimes.of(of), List.of(), List.of(), List.of(placement));
  }

  private ThrowableAssertAlternative<VerificationException> refusing(Placement placement) {
    return refusing(unmerged(program, placement));
  }

  private ThrowableAssertAlternative<VerificationException> refusing(MemoryPlan broken) {
    PlanVerifier.verify(Planner.planAt(program, 1, PlanOptions.upTo(1)));
    return assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(broken));
  }

  private Program with(UnaryOperator<Step> change) {
    List<Step> steps = new ArrayList<>(program.body().steps());
    steps.replaceAll(change);
    Body body = program.body();
    return new Program(
        "test",
        new Body("", body.kind(), body.parameters(), steps, body.results()),
        program.blocks(),
        List.of());
  }

  private static Step reading(Step step, List<Array> reads, List<Step.InPlace> inPlace) {
    return new Step(
        step.number(),
        step.name(),
        step.op(),
        step.kind(),
        reads,
        step.writes(),
        step.scratch(),
        inPlace,
        step.bodies());
  }

  @Test
  void aShiftedOffset() {
    Placement good = plan(program);
    refusing(good.withOffset(b.block(), good.offsetBytes(a.block()) + 4))
        .withMessageContaining("step 1 'b' (MatMul) writes 'b'")
        .withMessageContaining("over its operand 'a'");
  }

  @Test
  void anOffsetOneByteOutsideTheArena() {
    Placement good = plan(program);
    refusing(good.withOffset(b.block(), good.plannedBytes() - 4095))
        .withMessageContaining("block 'b' lies at bytes")
        .withMessageContaining("outside the arena of 12288");
  }

  @Test
  void aDroppedAlias() {
    Placement blind = plan(with(s -> s.name().equals("d") ? reading(s, List.of(c), List.of()) : s));
    refusing(blind)
        .withMessageContaining("step 4 'd' (MatMul) reads 'view'")
        .withMessageContaining("hold 'c', written by step 3");
  }

  @Test
  void aShortenedLifetime() {
    Placement blind = plan(with(s -> s.name().equals("c") ? reading(s, List.of(x), List.of()) : s));
    refusing(blind).withMessageContaining("'b'");
  }

  @Test
  void twoSwappedOffsets() {
    Placement good = plan(program);
    long first = good.offsetBytes(a.block());
    long second = good.offsetBytes(b.block());
    assertThat(second).isEqualTo(good.offsetBytes(x.block()));
    refusing(good.withOffset(a.block(), second).withOffset(b.block(), first))
        .withMessageContaining("step 0 'a' (MatMul) writes 'a'")
        .withMessageContaining("over its operand 'x'");
  }

  @Test
  void aFalseInPlace() {
    Step.InPlace pair = new Step.InPlace(0, 0);
    Program lie = with(s -> s.name().equals("b") ? s : reading(s, s.reads(), List.of(pair)));
    MemoryPlan merged = Planner.planAt(lie, 1, PlanOptions.upTo(1));
    refusing(planned(merged, UnaryOperator.identity()))
        .withMessageContaining("step 0 'a' (MatMul) is another step than in the program");
    refusing(planned(merged, s -> reading(s, s.reads(), List.of())))
        .withMessageContaining("step 0 'a' (MatMul) writes 'a'")
        .withMessageContaining("over its operand");
  }

  /* What a plan for another program would be for this one. */
  private MemoryPlan planned(MemoryPlan plan, UnaryOperator<Step> change) {
    Body body = plan.program().body();
    List<Step> steps = new ArrayList<>(body.steps());
    steps.replaceAll(change);
    return new MemoryPlan(
        program,
        program.with(new Body("", body.kind(), body.parameters(), steps, body.results())),
        plan.lifetimes(),
        plan.merges(),
        plan.refused(),
        plan.placements());
  }

  @Test
  void aWriteIntoWeights() {
    Array w = p.weights("w", 1024);
    p.compute(w, x);
    Program bad = p.build(d);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(unmerged(bad, plan(bad))))
        .withMessageContaining("writes 'w' into weights");
  }

  @Test
  void aReadBeforeAnyWrite() {
    ProgramBuilder q = new ProgramBuilder();
    Array never = q.floats("never", 16);
    Program bad = q.build(q.compute(q.floats("e", 16), never));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(unmerged(bad, plan(bad))))
        .withMessageContaining("reads 'never'")
        .withMessageContaining("were never written");
  }

  @Test
  void anArrayLargerThanItsBlock() {
    Array small = p.floats("small", 100);
    Array large = small.view("large", p.floats("other", 101).index());
    Program bad = p.build(p.compute(large, x));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(unmerged(bad, plan(bad))))
        .withMessageContaining(
            "'large' takes bytes 0 to 404 of block 'small', which has 400 bytes");
  }

  @Test
  void aResultOverwrittenBeforeTheEnd() {
    Array e = p.compute(p.floats("e", 1024), d);
    Program bad = p.build(d, e);
    Placement good = plan(bad);
    Array f = p.compute(p.floats("f", 1024), e);
    Program longer = p.build(d, e, f);
    Placement bent = plan(longer).withOffset(f.block(), plan(longer).offsetBytes(d.block()));
    PlanVerifier.verify(unmerged(bad, good));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> PlanVerifier.verify(unmerged(longer, bent)))
        .withMessageContaining("the end of the program reads 'd'")
        .withMessageContaining("hold 'f'");
  }

  @Test
  void aLoadWithASoundPlanKeepsIt() {
    VerifiedPlan verified = VerifiedPlan.of(program, PlanOptions.upTo(4));
    assertThat(verified.fallback()).isEmpty();
    assertThat(verified.plan().placement(4).plannedBytes()).isEqualTo(3 * 4096);
  }

  @Test
  void aProgramThatIsWrongByItselfIsNotLoadedAtAll() {
    ProgramBuilder q = new ProgramBuilder();
    Program wrong = q.build(q.compute(q.floats("e", 16), q.floats("never", 16)));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> VerifiedPlan.of(wrong, PlanOptions.upTo(4)))
        .withMessageContaining("reads 'never'");
  }

  @Test
  void stridedHalvesOfMoreRunsThanAreWalkedAreStillProved() {
    ProgramBuilder q = new ProgramBuilder();
    Array in = q.input("in", 10_000, 2);
    Array whole = q.floats("whole", 10_000, 4);
    Array left =
        whole.view("left", whole.index().slice(1, Affine.ZERO, 1, Affine.of(2)).orElseThrow());
    Array right =
        whole.view("right", whole.index().slice(1, Affine.of(2), 1, Affine.of(2)).orElseThrow());
    q.compute(left, in);
    q.compute(right, in);
    q.step("Concat", Step.Kind.VIEW, List.of(left, right), List.of(whole), List.of(), List.of());
    Array between = q.compute(q.floats("between", 10), in);
    Array out = q.compute(q.floats("out", 10), whole, between);
    Program strided = q.build(out);
    Placement good = plan(strided);
    PlanVerifier.verify(unmerged(strided, good));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() ->
            PlanVerifier.verify(
                unmerged(
                    strided,
                    good.withOffset(between.block(), good.offsetBytes(whole.block()) + 1024))))
        .withMessageContaining("reads 'whole'")
        .withMessageContaining("hold 'between'");
  }
}
