package io.miniinference.lower.steps;

import io.miniinference.ir.ViewMap;
import io.miniinference.layout.Axis;
import io.miniinference.layout.Movement;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;

/// Views of core IR as movements over index functions.
final class Views {
  private Views() {}

  static Movement movement(ViewMap map) {
    return switch (map) {
      case ViewMap.Reshape reshape -> new Movement.Reshape(reshape.shape());
      case ViewMap.Transpose transpose -> new Movement.Transpose(transpose.permutation());
      case ViewMap.Slice slice ->
          new Movement.Slice(slice.starts(), slice.steps(), slice.extents());
      case ViewMap.Expand expand -> new Movement.Expand(expand.shape());
    };
  }

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
