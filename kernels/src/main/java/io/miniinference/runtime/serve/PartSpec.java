package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.Parts;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.plan.verify.RowArenaVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How batches go in parts through the arenas of a model for batches up to some size: a few rows
/// take all steps in memory of a lane, to which their inputs come and from which their outputs go.
/// So a batch of any size takes the memory of the lanes alone.
///
/// @param arena the lanes, from behind the failure slots on
/// @param head bytes ahead of it
public record PartSpec(ArenaSpec spec, RowArena arena, long head) {

  static PartSpec of(ArenaSpec spec, RowArena arena) {
    RowArenaVerifier.verifyLanes(arena, spec.plan());
    return new PartSpec(spec, arena, spec.headBytes(arena.rows()));
  }

  /// What a batch works on in an arena that starts at `start`.
  public Binding batch(long start) {
    Binding first = part(start, 0);
    return new Binding(
        spec.offsets(start, 0),
        first.inputs(),
        spec.withSlots(first.outputs(), start),
        Optional.of(parts(start)));
  }

  private Parts parts(long start) {
    List<Binding> each = new ArrayList<>();
    for (int i = 0; i * arena.piece().batch() < arena.rows(); i++) {
      /* Without failure slots, parts of a lane are all the same. */
      boolean isKnown = !spec.canFail() && i >= arena.lanes().size();
      each.add(isKnown ? each.get(i - arena.lanes().size()) : part(start, i));
    }
    return new Parts(Math.toIntExact(arena.piece().batch()), arena.lanes().size(), each);
  }

  private Binding part(long start, int index) {
    long[] offsets = spec.offsetsFrom(index * arena.piece().batch(), start);
    int lane = index % arena.lanes().size();
    spec.placeBlocks(arena.piece(), start + head + arena.lanes().get(lane).offsetBytes(), offsets);
    return new Binding(offsets, spec.inputs(offsets), spec.outputs(offsets));
  }
}
