package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.MemoryPlan;
import io.miniinference.plan.Placement;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.List;

/// The proof that a program over its placed arrays computes what it would compute if every block
/// had bytes of its own.
///
/// It replays the program at each bucket's batch size and follows, byte by byte in ranges, who
/// wrote the arena last: each read must find the value of its producer, writes must stay inside
/// their block and the arena, a step may write over what it reads only where it says so, weights
/// are never written, and the results are whole at the end. A smaller batch in the same offsets
/// stays inside the same blocks: extents and sizes are linear in the batch, so both ends of the
/// bucket are looked at.
public final class PlanVerifier {
  private PlanVerifier() {}

  /// Verifies all buckets.
  ///
  /// @throws VerificationException if any bucket is unsound
  public static void verify(MemoryPlan plan) {
    plan.placements().forEach(placement -> verify(plan.program(), placement));
  }

  /// Verifies one bucket.
  ///
  /// @throws VerificationException if the placement is unsound
  public static void verify(Program program, Placement placement) {
    new Replay(program, placement, placement.batch(), new ViewNames(program)).run();
    if (placement.batch() > 1) {
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
      ByteRuns inside = ByteRuns.of(array.index(), array.elementBytes(), n);
      Block block = array.block();
      long size = block.sizeBytes().at(n);
      if (!inside.isEmpty() && (inside.first() < 0 || inside.last() > size)) {
        throw new VerificationException(
            "plan of '%s' at batch %d: '%s' takes %s of block '%s', which has %d bytes"
                .formatted(program.name(), n, array.name(), inside, block.name(), size));
      }
    }
  }
}
