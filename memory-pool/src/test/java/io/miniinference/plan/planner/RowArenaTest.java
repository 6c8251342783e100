package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.planner.RowArena.Region;
import io.miniinference.plan.verify.RowArenaVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class RowArenaTest {
  private static final Affine SLOTS = new Affine(64, 64);
  private final Program program = program();
  private final MemoryPlan plan = Planner.plan(program, PlanOptions.upTo(64));
  private final RowArena arena = RowArena.of(plan.program(), plan.placement(2), 64, 3, SLOTS);

  /* Rows of 100 floats come, rows of 10 go, and there are larger ones between. */
  private static Program program() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", Affine.N, 100);
    Array wide = p.compute(p.floats("wide", Affine.N, 1000), x);
    return p.build(p.compute(p.floats("y", Affine.N, 10), wide));
  }

  @Test
  void aBatchTakesItsRowsAndAPlanForEachLane() {
    RowArenaVerifier.verify(arena, plan);
    assertThat(arena.inputs()).containsExactly(new Region(0, 64 * 400));
    assertThat(arena.outputs()).containsExactly(new Region(25_600, 2560));
    assertThat(arena.slotBytes()).isEqualTo(256);
    long lane = 256 + plan.placement(2).plannedBytes();
    assertThat(arena.lanes()).hasSize(3).allMatch(each -> each.sizeBytes() == lane);
    assertThat(arena.sizeBytes()).isEqualTo(25_600 + 2560 + 256 + 3 * lane);
    assertThat(arena.sizeBytes()).isLessThan(plan.placement(64).plannedBytes() / 4);
  }

  @Test
  void lanesThatShareAByteAreRefused() {
    assertRefused(lanes(all -> moved(all, 1, -256)), "where another one ends");
    assertRefused(lanes(all -> List.of(all.getFirst(), all.getFirst())), "where another one ends");
  }

  @Test
  void aLaneThatIsTooSmallForItsPlanIsRefused() {
    assertRefused(
        lanes(all -> List.of(new Region(all.getFirst().offsetBytes(), 512))), "a lane has 512");
  }

  @Test
  void aPlanThatWasNotVerifiedIsRefused() {
    Placement other = Planner.plan(program, PlanOptions.upTo(64)).placement(2);
    RowArena changed =
        new RowArena(
            other, 64, arena.inputs(), arena.outputs(), arena.ticket(), arena.lanes(), 256);
    assertRefused(changed, "was not verified");
  }

  @Test
  void rowsWithoutRoomAreRefused() {
    RowArena changed =
        new RowArena(
            arena.piece(),
            65,
            arena.inputs(),
            arena.outputs(),
            arena.ticket(),
            arena.lanes(),
            arena.slotBytes());
    assertRefused(changed, "input 'x' of 65 rows takes 26000 bytes, and has 25600");
  }

  @Test
  void anOutputThatIsNotMadeOfRowsIsRefused() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", Affine.N, 100);
    Program summing = p.build(p.compute(p.floats("sum", 100), x));
    MemoryPlan summed = Planner.plan(summing, PlanOptions.upTo(4));
    RowArena wrong = RowArena.of(summed.program(), summed.placement(1), 4, 2, SLOTS);
    assertThatThrownBy(() -> RowArenaVerifier.verify(wrong, summed))
        .isInstanceOf(VerificationException.class)
        .hasMessageContaining("output 'sum' is not made of rows");
  }

  @Test
  void anInputWhoseRowsAreNotOnItsFirstAxisIsRefused() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", 5, Affine.N, 4);
    Program steps = p.build(p.compute(p.floats("y", Affine.N, 20), x));
    MemoryPlan planned = Planner.plan(steps, PlanOptions.upTo(4));
    RowArena wrong = RowArena.of(planned.program(), planned.placement(1), 4, 2, SLOTS);
    assertThatThrownBy(() -> RowArenaVerifier.verify(wrong, planned))
        .isInstanceOf(VerificationException.class)
        .hasMessageContaining("input 'x' is not made of rows");
  }

  @Test
  void rowsStandInForBlocksOfTheirOwn() {
    RowArenaVerifier.verifyInPlace(arena, plan);
    assertThat(RowArena.canStandIn(program)).isTrue();
  }

  /// What is read there and what is written there would be in two places.
  @Test
  void anInputThatIsAnOutputHasNoBlockOfItsOwn() {
    ProgramBuilder p = new ProgramBuilder();
    Array x = p.input("x", Affine.N, 100);
    p.compute(p.floats("y", Affine.N, 20), x);
    MemoryPlan planned = Planner.plan(p.build(x), PlanOptions.upTo(4));
    RowArena same = RowArena.of(planned.program(), planned.placement(1), 4, 1, Affine.ZERO);
    assertThatThrownBy(() -> RowArenaVerifier.verifyInPlace(same, planned))
        .isInstanceOf(VerificationException.class)
        .hasMessageContaining("has not a block of its own");
  }

  private static List<Region> moved(List<Region> all, int index, long bytes) {
    List<Region> changed = new ArrayList<>(all);
    Region region = all.get(index);
    changed.set(index, new Region(region.offsetBytes() + bytes, region.sizeBytes()));
    return changed;
  }

  private RowArena lanes(UnaryOperator<List<Region>> change) {
    return new RowArena(
        arena.piece(),
        arena.rows(),
        arena.inputs(),
        arena.outputs(),
        arena.ticket(),
        change.apply(arena.lanes()),
        arena.slotBytes());
  }

  private void assertRefused(RowArena changed, String why) {
    assertThatThrownBy(() -> RowArenaVerifier.verify(changed, plan))
        .isInstanceOf(VerificationException.class)
        .hasMessageContaining(why);
  }
}
