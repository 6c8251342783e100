package io.miniinference.plan.certificate;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.planner.MemoryPlan;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The arrays of a plan in one iteration of its loops, for who looks at it: what is built in a row
/// of a result is in the first row, and a parameter that moves is where an iteration leaves it to
/// the next.
final class Snapshot {
  private final Map<Integer, Array> rows = new HashMap<>();
  private final Map<Integer, Array> starts = new HashMap<>();

  Snapshot(MemoryPlan plan) {
    for (LoopBuffers motion : plan.motions()) {
      motion.windows().forEach(window -> rows.put(window.block().id(), window.rows()));
      motion.pointers().forEach(pointer -> starts.put(pointer.block().id(), pointer.next()));
      motion.alternations().forEach(each -> starts.put(each.block().id(), each.even()));
    }
    starts.putAll(rows);
  }

  /// The array in memory that stays where it is, or nothing where that is not known.
  Optional<Array> of(Array array) {
    Array at = array;
    while (at.block().isMoving()) {
      Array start = starts.get(at.block().id());
      if (start == null) {
        return Optional.empty();
      }
      at =
          new Array(
              array.name(),
              start.block(),
              at.index().shifted(start.index().offset()),
              array.elementBytes());
    }
    return Optional.of(at);
  }

  /// What a block that moves is a part of in each iteration: all rows, in an outer loop those of
  /// its first iteration; nothing for a block that is no row.
  Optional<Array> rows(Block block) {
    @Nullable Array all = rows.get(block.id());
    return all == null ? Optional.empty() : of(all);
  }
}
