package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.Block;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.RandomPrograms;
import io.miniinference.plan.TinyMachine;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RandomProgramsTest {
  private static final int PROGRAMS = 400;

  private static List<List<Long>> run(Program program, Placement placement, long n, long paths) {
    return new TinyMachine(
            program,
            placement::offsetBytes,
            placement.plannedBytes(),
            n,
            paths,
            placement.hashCode())
        .run();
  }

  @Test
  void everyPlanIsSoundForTheVerifierAndOnBytes() {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Program program = RandomPrograms.of(seed, 4 + (int) (seed % 24));
      MemoryPlan plan = Planner.plan(program, PlanOptions.upTo(3));
      MemoryPlan plain = Planner.plain(program, PlanOptions.upTo(3));
      verify(seed, plain);
      verify(seed, plan);
      long n = seed % 4;
      assertThat(run(plan.program(), plan.placement(n), n, seed))
          .as("seed %d, batch %d", seed, n)
          .isEqualTo(run(program, plain.placement(n), n, seed));
      assertThat(plan.arenaBytes()).as("seed %d", seed).isLessThanOrEqualTo(plain.arenaBytes());
    }
  }

  private static void verify(long seed, MemoryPlan plan) {
    try {
      PlanVerifier.verify(plan);
    } catch (VerificationException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void theVerifierCatchesEveryMovedBlockThatChangesAResult() {
    int harmful = 0;
    for (long seed = 0; seed < PROGRAMS / 2; seed++) {
      Random random = new Random(seed);
      Program program = RandomPrograms.of(seed, 4 + (int) (seed % 24));
      MemoryPlan plan = Planner.planAt(program, 2, PlanOptions.upTo(2));
      Placement good = plan.placement(2);
      Block block = program.blocks().get(random.nextInt(program.blocks().size()));
      long room = good.plannedBytes() - block.sizeBytes().at(2);
      if (!block.isPlanned() || !good.isPlaced(block) || room <= 0) {
        continue;
      }
      Placement moved = good.withOffset(block, random.nextLong(room) / 4 * 4);
      boolean harms =
          !run(plan.program(), good, 2, seed).equals(run(plan.program(), moved, 2, seed));
      if (harms) {
        harmful++;
        assertThat(refuses(plan.with(List.of(moved))))
            .as("seed %d, block %s", seed, block.name())
            .isTrue();
      }
    }
    assertThat(harmful).isGreaterThan(PROGRAMS / 20);
  }

  private static boolean refuses(MemoryPlan plan) {
    try {
      PlanVerifier.verify(plan);
      return false;
    } catch (VerificationException e) {
      return true;
    }
  }

  @Test
  void plansAreDeterministic() {
    for (long seed = 0; seed < 50; seed++) {
      Program program = RandomPrograms.of(seed, 30);
      Placement first = Planner.planAt(program, 4, PlanOptions.upTo(4)).placement(4);
      Placement second = Planner.planAt(program, 4, PlanOptions.upTo(4)).placement(4);
      for (Block block : program.blocks()) {
        if (first.isPlaced(block)) {
          assertThat(first.offsetBytes(block))
              .as("seed %d", seed)
              .isEqualTo(second.offsetBytes(block));
        }
      }
    }
  }
}
