package io.miniinference.plan.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each safety condition of a merge (thesis §5.3, §5.7) forbids one in the certificate, and if it
/// is switched off the plan is one that the verifier refuses.
final class SafetyTest {
  private final ProgramBuilder p = new ProgramBuilder();

  private static MemoryPlan plan(Program program, PlanOptions options) {
    return Planner.planAt(program, 1, options);
  }

  private static void checkThat(Program program, String refused, Condition condition) {
    PlanOptions options = PlanOptions.upTo(1);
    MemoryPlan good = plan(program, options);
    PlanVerifier.verify(good);
    assertThat(good.refused()).map(RefusedMerge::toString).contains(refused + ": " + condition);
    assertThatExceptionOfType(VerificationException.class)
        .as("a plan without %s", condition)
        .isThrownBy(() -> PlanVerifier.verify(plan(program, options.ignoring(condition))));
  }

  @Test
  void sc1TheSourceIsNotNeededAfterTheStep() {
    Array x = p.input("x", 1024);
    Array a = p.compute(p.floats("a", 1024), x);
    Array b = p.elementwise(p.floats("b", 1024), a);
    checkThat(p.build(b, p.compute(p.floats("late", 16), a)), "a -> b", Condition.SC1);
  }

  @Test
  void sc2TheDestinationIsThereWhenTheSourceIsMade() {
    Array x = p.input("x", 64);
    Array row = p.compute(p.floats("row", 1, 64), x);
    Array matrix = p.compute(p.floats("matrix", 64, 64), x);
    Array whole = p.floats("whole", 64, 64);
    Array before = p.copy(whole.view("before", whole.index()), matrix);
    Array place = p.copy(p.part("place", whole, 0, 2, 1), row);
    checkThat(p.build(p.assemble(whole, before, place)), "row -> place", Condition.SC2);
  }

  @Test
  void sc3TheDestinationIsNotInUseWhileTheSourceWaits() {
    Array x = p.input("x", 64);
    Array whole = p.floats("whole", 64, 64);
    Array before = p.compute(whole.view("before", whole.index()), x);
    Array row = p.compute(p.floats("row", 1, 64), x);
    Array use = p.compute(p.floats("use", 64), before);
    Array place = p.copy(p.part("place", whole, 0, 2, 1), row);
    checkThat(p.build(p.assemble(whole, before, place), use), "row -> place", Condition.SC3);
  }

  @Test
  void sc4TheSourceIsMemoryOfTheRequest() {
    Array w = p.weights("w", 1024);
    checkThat(p.build(p.elementwise(p.floats("z", 1024), w)), "w -> z", Condition.SC4);
  }

  @Test
  void sc4TheSourceIsNoPartOfSomethingLarger() {
    Array x = p.input("x", 64);
    Array matrix = p.compute(p.floats("matrix", 8, 64), x);
    Array row = p.compute(p.floats("row", 8, 64), x);
    Array whole = p.concat("whole", 0, p.slice("middle", matrix, 0, 2, 2), row);
    checkThat(p.build(whole), "middle -> whole[0]", Condition.SC4);
  }

  @Test
  void sc5ThePlaceIsKnownWhenTheSourceIsMade() {
    Array x = p.input("x", 64);
    Array line = p.compute(p.floats("line", 64), x);
    Array whole = p.floats("whole", 64);
    IndexFunction turned = whole.index().slice(0, Affine.of(63), -1, Affine.of(64)).orElseThrow();
    Array somewhere = p.copy(whole.view("somewhere", turned), line);
    checkThat(p.build(p.assemble(whole, somewhere)), "line -> somewhere", Condition.SC5);
  }

  @Test
  void ifWhatOneBranchResultsInIsNotNeededWhereTheOtherMakesItsOwn() {
    Array x = p.input("x", 1024);
    Array b = p.compute(p.floats("b", 1024), x);
    Array z = p.floats("z", 1024);
    int at = p.nextNumber();
    p.openBody();
    Array own = p.compute(p.floats("if.t/own", 1024), x);
    Array fromOwn = p.copy(z.view("if.t/z", z.index()), own);
    p.compute(p.floats("if.t/use", 16), b);
    Body then = p.closeBody("if.t/", Body.Kind.BRANCH, List.of(), List.of(fromOwn));
    p.openBody();
    Array fromOutside = p.copy(z.view("if.e/z", z.index()), b);
    Body otherwise = p.closeBody("if.e/", Body.Kind.BRANCH, List.of(), List.of(fromOutside));
    p.branch(at, x, z, then, otherwise);
    checkThat(p.build(z), "b -> if.e/z", Condition.IF);
  }
}
