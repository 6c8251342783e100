package io.miniinference.lower.steps;

import io.miniinference.layout.Axis;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;

/// What the arrays of views are like.
final class Views {
  private Views() {}

  /// Whether the array has elements more than once.
  static boolean repeats(Array view) {
    return view.index().axes().stream().anyMatch(Views::isRepeated);
  }

  private static boolean isRepeated(Axis axis) {
    return axis.stride().isZero() && !axis.isBlocked() && !axis.extent().isSingle();
  }

  /// Whether a view holds so little of so much more memory that the planner may want it copied, so
  /// that the rest can be written over. It is judged at one row.
  static boolean isSmallPart(Array view) {
    long bytes = view.index().elements().at(1) * view.elementBytes();
    return view.block().isPlanned()
        && 0 < bytes
        && bytes < Block.SMALL_BYTES
        && view.block().sizeBytes().at(1) >= Block.SMALL_BYTES
        && !repeats(view);
  }
}
