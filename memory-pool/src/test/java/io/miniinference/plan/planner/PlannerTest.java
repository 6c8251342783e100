package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.Merge;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.verify.PlanVerifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlannerTest {
  private final ProgramBuilder p = new ProgramBuilder();

  private static Placement only(Program program) {
    MemoryPlan plan = Planner.planAt(program, 1, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    return plan.placement(1);
  }

  private static List<Condition> refused(Program program) {
    MemoryPlan plan = Planner.planAt(program, 1, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    return plan.refused().stream().map(RefusedMerge::condition).toList();
  }

  @Test
  void aChainOfElementwiseStepsLivesInItsInput() {
    Array x = p.input("x", 1024);
    Array a = p.elementwise(p.floats("a", 1024), x);
    Array b = p.elementwise(p.floats("b", 1024), a);
    Program program = p.build(p.elementwise(p.floats("c", 1024), b));
    assertThat(only(program).plannedBytes()).isEqualTo(4096);
    assertThat(Planner.plan(program, PlanOptions.upTo(1)).merges())
        .map(Merge::toString)
        .containsExactly("x -> a", "a -> b", "b -> c");
  }

  @Test
  void anOperandIsMadeInItsPlaceThoughAnOpenSizeIsOneNow() {
    Array x = p.input("x", Affine.N, 8);
    Array first = p.compute(p.floats("first", Affine.N, Affine.ONE.opened(), 1), x);
    Array second = p.compute(p.floats("second", Affine.N), x);
    Movement column = new Movement.Reshape(ProgramBuilder.shape(Affine.N, 1, 1));
    Array both = p.concat("both", 2, first, p.view("column", second, column));
    Program program = p.build(p.compute(p.floats("y", Affine.N, 4), both));
    MemoryPlan plan = Planner.plan(program, PlanOptions.upTo(8));
    PlanVerifier.verify(plan);
    assertThat(plan.merges()).map(Merge::toString).contains("column -> both[1]");
  }

  @Test
  void blocksThatAreNeverLiveTogetherShareBytes() {
    Array x = p.input("x", 1024);
    Array a = p.compute(p.floats("a", 2048), x);
    Array b = p.compute(p.floats("b", 1024), a);
    assertThat(only(p.build(b)).plannedBytes()).isEqualTo(12288);
  }

  @Test
  void aMatrixProductIsNeverInPlace() {
    Array x = p.input("x", 1024);
    Placement placement = only(p.build(p.compute(p.floats("y", 1024), x)));
    assertThat(placement.plannedBytes()).isEqualTo(8192);
  }

  @Test
  void anOperandNeededLaterIsKept() {
    Array x = p.input("x", 1024);
    Array a = p.elementwise(p.floats("a", 1024), x);
    assertThat(refused(p.build(p.elementwise(p.floats("b", 1024), a, x), a)))
        .containsExactly(Condition.SC1, Condition.SC1);
  }

  @Test
  void theSecondOperandIsNotNeededWhenTheFirstIsTaken() {
    Array x = p.input("x", 1024);
    Array y = p.input("y", 1024);
    assertThat(refused(p.build(p.elementwise(p.floats("z", 1024), x, y))))
        .containsExactly(Condition.WORSE);
  }

  @Test
  void weightsAreNeverOverwritten() {
    Array w = p.weights("w", 1024);
    assertThat(refused(p.build(p.elementwise(p.floats("z", 1024), w))))
        .containsExactly(Condition.SC4);
  }

  @Test
  void aResultThatExistsBeforeTheStepIsNotMoved() {
    Array x = p.input("x", 512);
    Array both = p.floats("both", 1024);
    Array left = p.compute(p.part("left", both, 0, 0, 512), x);
    Array y = p.compute(p.floats("y", 1024), x);
    Array right =
        p.elementwise(p.part("right", both, 0, 512, 512), p.slice("half", y, 0, 512, 512));
    p.assemble(both, left, right);
    assertThat(refused(p.build(both))).containsExactly(Condition.SC3);
  }

  @Test
  void aReversedOperandIsNotOverwritten() {
    Array x = p.input("x", 1024);
    Array reversed =
        p.view(
            "r",
            x,
            new Movement.Slice(List.of(Affine.of(1023)), List.of(-1L), List.of(Affine.of(1024))));
    assertThat(refused(p.build(p.elementwise(p.floats("z", 1024), reversed))))
        .containsExactly(Condition.INDEX);
  }

  @Test
  void anOperandReadInTwoOrdersIsNotOverwritten() {
    Array x = p.input("x", 32, 32);
    Array t = p.view("t", x, new Movement.Transpose(List.of(1, 0)));
    Array z = p.floats("z", 32, 32);
    p.step(
        "Add",
        Step.Kind.COMPUTE,
        List.of(x, t),
        List.of(z),
        List.of(),
        List.of(new Step.InPlace(0, 0)));
    assertThat(refused(p.build(z))).containsExactly(Condition.INDEX);
  }

  @Test
  void elementsOfOtherSizeDoNotShareInPlace() {
    Array x = p.input("x", 1024);
    Array z = p.fresh("z", x.index(), 8);
    assertThat(refused(p.build(p.elementwise(z, x)))).containsExactly(Condition.TYPE);
  }

  @Test
  void aResultTakesThePlaceOfThePartThatDies() {
    Array x = p.input("x", 1024);
    Array z = p.elementwise(p.floats("z", 512), p.slice("upper", x, 0, 512, 512));
    Program program = p.build(p.compute(p.floats("y", 8), z, p.slice("lower", x, 0, 0, 512)));
    assertThat(only(program).plannedBytes()).isEqualTo(4096 + 256);
  }

  @Test
  void aBlockedLayoutIsNotAPlainOne() {
    Array x = p.input("x", 1, 32, 4, 4);
    Array z = p.fresh("z", IndexFunction.blocked(x.index().shape(), 1, 16), 4);
    assertThat(refused(p.build(p.elementwise(z, x)))).containsExactly(Condition.LAYOUT);
  }

  @Test
  void blockedLayoutsOfTheSameKindWorkInPlace() {
    IndexFunction blocked = IndexFunction.blocked(ProgramBuilder.shape(Affine.N, 20, 4, 4), 1, 16);
    Array x = p.input(p.fresh("x", blocked, 4));
    Program program = p.build(p.elementwise(p.fresh("z", blocked, 4), x));
    assertThat(only(program).plannedBytes()).isEqualTo(32 * 16 * 4);
  }

  @Test
  void anOperandOfTwoResultsIsOverwrittenOnlyIfPairedWithBoth() {
    Array x = p.input("x", 1024);
    Array a = p.floats("a", 1024);
    Array b = p.floats("b", 1024);
    p.step(
        "Split",
        Step.Kind.COMPUTE,
        List.of(x),
        List.of(a, b),
        List.of(),
        List.of(new Step.InPlace(0, 0)));
    assertThat(refused(p.build(a, b))).containsExactly(Condition.INDEX);
  }

  @Test
  void mergesAreTheSameAtEveryBatchAndOffsetsArePerBucket() {
    Array x = p.input("x", Affine.N, 100);
    Array a = p.elementwise(p.floats("a", Affine.N, 100), x);
    MemoryPlan plan =
        Planner.plan(p.build(p.compute(p.floats("b", Affine.N, 10), a)), PlanOptions.upTo(6));
    PlanVerifier.verify(plan);
    assertThat(plan.placements()).map(Placement::batch).containsExactly(1L, 2L, 4L, 6L);
    assertThat(plan.placement(3).batch()).isEqualTo(4);
    assertThat(plan.placement(0).batch()).isEqualTo(1);
    assertThat(plan.merges()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan.placement(7))
        .withMessageContaining("batch 7 is above the largest");
  }

  @Test
  void aProgramWithoutBatchHasOneBucket() {
    Array x = p.input("x", 100);
    MemoryPlan plan = Planner.plan(p.build(p.compute(p.floats("y", 10), x)), PlanOptions.upTo(256));
    assertThat(plan.placements()).map(Placement::batch).containsExactly(256L);
  }

  @Test
  void smallValuesShareASlabAtVectorAlignment() {
    Array x = p.input("x", 4);
    Array a = p.compute(p.floats("a", 4), x);
    Array b = p.compute(p.floats("b", 4), x, a);
    Array c = p.compute(p.floats("c", 4), b, a);
    Placement placement = only(p.build(c));
    assertThat(placement.plannedBytes()).isEqualTo(256);
    assertThat(List.of(x, a, b, c))
        .allSatisfy(v -> assertThat(placement.offsetBytes(v.block()) % 64).isZero());
  }

  @Test
  void failureSlotsAreCountedBesideThePlan() {
    Array x = p.input("x", Affine.N, 100);
    Program program = p.build(p.compute(p.floats("y", Affine.N, 1), x));
    Placement placement =
        Planner.plan(program, PlanOptions.upTo(8).withFailureBytes(new Affine(32, 32)))
            .placement(8);
    assertThat(placement.failureBytes()).isEqualTo(512);
    assertThat(placement.arenaBytes()).isEqualTo(placement.plannedBytes() + 512);
  }

  /// Slots and outputs come back together: what lies between them does, too.
  @Test
  void whereThereAreFailureSlotsAnOutputIsNextToThem() {
    Array x = p.input("x", Affine.N, 4096);
    Program program = p.build(p.compute(p.floats("y", Affine.N, 1024), x));
    PlanOptions slots = PlanOptions.upTo(8).withFailureBytes(new Affine(64, 64));
    Block y = program.body().results().getFirst().block();
    assertThat(Planner.plan(program, PlanOptions.upTo(8)).placement(8).offsetBytes(y)).isPositive();
    MemoryPlan plan = Planner.plan(program, slots);
    assertThat(plan.placement(8).offsetBytes(y)).isZero();
    assertThat(plan.placement(8).plannedBytes()).isEqualTo(8 * (4096 + 1024) * 4);
    PlanVerifier.verify(plan);
  }

  @Test
  void scratchSharesWithNothingOfItsStep() {
    Array x = p.input("x", 1024);
    Block scratch = p.block("scratch", Affine.of(4096), Block.Space.ARENA);
    Array y = p.floats("y", 1024);
    p.step("Conv", Step.Kind.COMPUTE, List.of(x), List.of(y), List.of(scratch), List.of());
    assertThat(only(p.build(y)).plannedBytes()).isEqualTo(3 * 4096);
  }

  @Test
  void anInputNeverReadHoldsNothingLater() {
    p.input("unused", 1024);
    Array x = p.input("x", 1024);
    assertThat(only(p.build(p.compute(p.floats("y", 1024), x))).plannedBytes()).isEqualTo(8192);
  }

  @Test
  void thePlainPlanSharesNothing() {
    Array x = p.input("x", 1024);
    Array a = p.elementwise(p.floats("a", 1024), x);
    Program program = p.build(p.elementwise(p.floats("b", 1024), a));
    MemoryPlan plan = Planner.plain(program, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(plan.placement(1).plannedBytes()).isEqualTo(3 * 4096);
    assertThat(plan.merges()).isEmpty();
  }

  @Test
  void aBatchOfZeroTakesNothing() {
    Array x = p.input("x", Affine.N, 1024);
    MemoryPlan plan =
        Planner.planAt(p.build(p.compute(p.floats("y", Affine.N, 8), x)), 0, PlanOptions.upTo(8));
    PlanVerifier.verify(plan);
    assertThat(plan.placement(0).plannedBytes()).isZero();
  }

  @Test
  void aBlockThatShrinksWithTheBatchIsRefused() {
    p.block("odd", new Affine(100, -1), Block.Space.ARENA);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Planner.plan(p.build(), PlanOptions.upTo(1)))
        .withMessageContaining("block 'odd' has size 100+-1N");
  }

  @Test
  void branchesLieBesideEachOtherInTime() {
    Array x = p.input("x", 16);
    Array z = p.floats("z", 16);
    int at = p.nextNumber();
    p.openBody();
    Array a = p.compute(p.floats("if.t/a", 1024), x);
    Array ra = p.compute(p.floats("if.t/r", 16), a);
    Body then = p.closeBody("if.t/", Body.Kind.BRANCH, List.of(), List.of(ra));
    p.openBody();
    Array b = p.compute(p.floats("if.e/b", 1024), x);
    Array rb = p.compute(p.floats("if.e/r", 16), b);
    Body otherwise = p.closeBody("if.e/", Body.Kind.BRANCH, List.of(), List.of(rb));
    p.branch(at, x, z, then, otherwise);
    assertThat(only(p.build(z)).plannedBytes()).isEqualTo(4096 + 256);
  }

  /* The second iteration looks for the value under the name that the first has written over. */
  @Test
  void aValueFromOutsideALoopIsNotTheResultOfAnIfInIt() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", 1024);
    Array a = p.compute(p.floats("a", 1024), x);
    Array state = p.floats("loop/state", 1024);
    int loop = p.nextNumber();
    p.openBody();
    Array z = p.floats("loop/z", 1024);
    int branch = p.nextNumber();
    List<Body> sides = new ArrayList<>();
    for (String side : List.of("loop/if.t/", "loop/if.e/")) {
      p.openBody();
      Array same = p.copy(z.view(side + "z", z.index()), a);
      sides.add(p.closeBody(side, Body.Kind.BRANCH, List.of(), List.of(same)));
    }
    p.branch(branch, x, z, sides.get(0), sides.get(1));
    Array next = p.compute(p.floats("loop/next", 1024), z, state);
    Body body = p.closeBody("loop/", Body.Kind.LOOP, List.of(state), List.of(next));
    Array y = p.floats("y", 1024);
    p.step(
        new Step(
            loop,
            "loop",
            "Loop",
            Step.Kind.COMPUTE,
            List.of(x),
            List.of(y),
            List.of(),
            List.of(),
            List.of(body)));
    MemoryPlan plan = Planner.planAt(p.build(y), 1, PlanOptions.upTo(1));
    PlanVerifier.verify(plan);
    assertThat(plan.merges()).map(Merge::toString).doesNotContain("a -> loop/if.t/z");
  }

  @Test
  void whatALoopReadsFromOutsideIsKeptThroughAllIterations() {
    Array x = p.input("x", 1024);
    Array init = p.input("init", 1024);
    Array state = p.floats("loop/state", 1024);
    Array z = state.view("z", state.index());
    int at = p.nextNumber();
    p.openBody();
    Array a = p.compute(p.floats("loop/a", 1024), state, x);
    Array next = p.compute(p.floats("loop/next", 1024), a);
    Body body = p.closeBody("loop/", Body.Kind.LOOP, List.of(state), List.of(next));
    p.step(
        new Step(
            at,
            "loop",
            "Loop",
            Step.Kind.COMPUTE,
            List.of(init),
            List.of(z),
            List.of(),
            List.of(),
            List.of(body)));
    Program program = p.build(z);
    Lifetimes lifetimes = Lifetimes.of(program);
    assertThat(lifetimes.range(x.block().id())).isEqualTo(new LiveRange(-1, 3));
    assertThat(lifetimes.range(a.block().id())).isEqualTo(new LiveRange(1, 2));
    assertThat(only(program).plannedBytes()).isEqualTo(4 * 4096);
  }
}
