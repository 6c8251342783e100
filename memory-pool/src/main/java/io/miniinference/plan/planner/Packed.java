package io.miniinference.plan.planner;

import io.miniinference.plan.packing.Alignment;
import io.miniinference.plan.packing.Packing;
import io.miniinference.plan.packing.Rectangle;
import java.util.List;
import java.util.stream.IntStream;

/// What was packed for a placement, and how.
///
/// @param rectangles the blocks of [io.miniinference.plan.Block#SMALL_BYTES] and more, and the slab
///   of the others
/// @param packing their offsets
record Packed(List<Rectangle> rectangles, Packing packing) {
  Packed {
    rectangles = List.copyOf(rectangles);
  }

  /* The offsets if all is turned upside down, which packs as well. */
  long[] turned(long alignmentBytes) {
    return IntStream.range(0, rectangles.size())
        .mapToLong(
            i -> packing.turned(i, Alignment.up(rectangles.get(i).sizeBytes(), alignmentBytes)))
        .toArray();
  }

  /* Whether other rectangles, one by one, live at the same times. */
  boolean isOfTheTimesOf(List<Rectangle> others) {
    return others.size() == rectangles.size()
        && IntStream.range(0, others.size())
            .allMatch(i ->
                others.get(i).lower() == rectangles.get(i).lower()
                    && others.get(i).upper() == rectangles.get(i).upper());
  }
}
