package io.miniinference.plan.packing;

import java.util.List;
import java.util.Optional;

/// Rectangles to pack, and when a packing is good enough.
///
/// @param rectangles what to pack
/// @param alignmentBytes every offset is a multiple of this; sizes are rounded up to it
/// @param capacityBytes a peak at or below this needs no further search; 0 asks for the lowest
/// @param limits how long the exact search may go on where the greedy orders miss
/// @param earlier a packing of the same rectangles at other sizes, whose order is tried first
public record PackingProblem(
    List<Rectangle> rectangles,
    long alignmentBytes,
    long capacityBytes,
    SearchLimits limits,
    Optional<Packing> earlier) {
  public PackingProblem {
    rectangles = List.copyOf(rectangles);
    if (alignmentBytes < 1 || capacityBytes < 0) {
      throw new IllegalArgumentException(
          "alignment of %d bytes, capacity of %d: the first must be 1 or more, the second 0 or more"
              .formatted(alignmentBytes, capacityBytes));
    }
    if (earlier.isPresent() && earlier.get().offsets().length != rectangles.size()) {
      throw new IllegalArgumentException(
          "the earlier packing is of %d rectangles, these are %d"
              .formatted(earlier.get().offsets().length, rectangles.size()));
    }
  }

  /// The lowest packing that greedy orders find, at any byte.
  public static PackingProblem of(List<Rectangle> rectangles) {
    return new PackingProblem(rectangles, 1, 0, SearchLimits.NONE, Optional.empty());
  }

  public PackingProblem alignedTo(long bytes) {
    return new PackingProblem(rectangles, bytes, capacityBytes, limits, earlier);
  }

  public PackingProblem within(long bytes) {
    return new PackingProblem(rectangles, alignmentBytes, bytes, limits, earlier);
  }

  public PackingProblem searching(SearchLimits most) {
    return new PackingProblem(rectangles, alignmentBytes, capacityBytes, most, earlier);
  }

  public PackingProblem after(Packing packing) {
    return new PackingProblem(
        rectangles, alignmentBytes, capacityBytes, limits, Optional.of(packing));
  }
}
