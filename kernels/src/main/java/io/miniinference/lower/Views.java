package io.miniinference.lower;

import io.miniinference.ir.ViewMap;
import io.miniinference.layout.Movement;

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
}
