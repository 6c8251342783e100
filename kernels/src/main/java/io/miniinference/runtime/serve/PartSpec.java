package io.miniinference.runtime.serve;

import io.miniinference.device.Binding;
import io.miniinference.device.Parts;
import io.miniinference.lower.FailureSlot;
import io.miniinference.plan.Array;
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
    List<Binding.Region> outputs = new ArrayList<>(first.outputs());
    if (spec.canFail()) {
      outputs.add(new Binding.Region(start, FailureSlot.bytes()));
    }
    return new Binding(spec.offsets(start, 0), first.inputs(), outputs, Optional.of(parts(start)));
  }

  private Parts parts(long start) {
    List<Binding> each = new ArrayList<>();
    for (int i = 0; i * arena.piece().batch() < arena.rows(); i++) {
      /* Without failure slots, parts of a lane are all the same. */
      boolean isKnown = !spec.canFail() && i >= arena.lanes().size();
      each.add(isKnown ? each.get(i - arena.lanes().size()) : part(start, i));
    }
    return new Parts(
        Math.toIntExact(arena.piece().batch()), arena.lanes().size(), List.copyOf(each));
  }

  /* Rows count from the part's first one, in the failure slots, too: slot 0 is that of the row
  ahead. */
  private Binding part(long start, int index) {
    long[] offsets = spec.offsets(start, 0);
    long first = index * arena.piece().batch();
    offsets[spec.program().failureSlotsId()] = start + first * FailureSlot.BYTES;
    int lane = index % arena.lanes().size();
    spec.placeBlocks(arena.piece(), start + head + arena.lanes().get(lane).offsetBytes(), offsets);
    return new Binding(
        offsets,
        regions(spec.program().inputs(), offsets),
        regions(spec.program().outputs(), offsets));
  }

  private static List<Binding.Region> regions(List<Array> arrays, long[] offsets) {
    return arrays.stream()
        .map(array -> new Binding.Region(offsets[array.block().id()], RowArena.bytes(array)))
        .toList();
  }
}
