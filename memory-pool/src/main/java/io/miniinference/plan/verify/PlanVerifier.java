package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import java.util.List;
import java.util.Set;

/// The proof that a planned program over its placed arrays computes what its source would compute
/// if every block had bytes of its own.
///
/// First the planned program must be the source program but for where its arrays lie
/// ([Correspondence]). Then it is replayed at each bucket's batch size, and who wrote each byte
/// last is followed ([Replay]): each read must find the value of its producer, writes must stay
/// inside their block and the arena, a step may write over what it reads only where it says so,
/// weights are never written, and the results are whole at the end. A smaller batch in the same
/// offsets stays inside the same blocks: extents and sizes are linear in the batch, so both ends of
/// the bucket are looked at.
public final class PlanVerifier {
  private PlanVerifier() {}

  /// Verifies all buckets.
  ///
  /// @throws VerificationException if any bucket is unsound
  public static void verify(MemoryPlan plan) {
    Set<Integer> hosts = Correspondence.check(plan);
    Program program = Unrolled.of(plan.program());
    Inventory inventory = new Inventory(program);
    for (Placement placement : plan.placements()) {
      new Replay(program, inventory, placement, placement.batch()).run(hosts);
    }
    if (plan.placements().stream().anyMatch(placement -> placement.batch() > 1)) {
      checkInside(program, program.body(), 1);
    }
  }

  private static void checkInside(Program program, Body body, long n) {
    checkInside(program, body.parameters(), n);
    checkInside(program, body.results(), n);
    for (Step step : body.steps()) {
      checkInside(program, step.reads(), n);
      checkInside(program, step.writes(), n);
      step.bodies().forEach(nested -> checkInside(program, nested, n));
    }
  }

  private static void checkInside(Program program, List<Array> arrays, long n) {
    for (Array array : arrays) {
      Span inside = Span.of(array.index(), array.elementBytes(), n);
      Block block = array.block();
      long size = block.sizeBytes().at(n);
      if (!inside.isEmpty() && (inside.first() < 0 || inside.end() > size)) {
        throw new VerificationException(
            "plan of '%s' at batch %d: '%s' takes %s of block '%s', which has %d bytes"
                .formatted(program.name(), n, array.name(), inside, block.name(), size));
      }
    }
  }
}
