package io.miniinference.lower;

import io.miniinference.ir.ViewMap;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;
import java.util.Optional;

/// Composition of a view with an index function.
final class Views {
  private Views() {}

  static Optional<IndexFunction> apply(IndexFunction index, ViewMap map) {
    return switch (map) {
      case ViewMap.Reshape reshape -> index.reshape(reshape.shape());
      case ViewMap.Transpose transpose -> Optional.of(index.transpose(transpose.permutation()));
      case ViewMap.Slice slice -> slice(index, slice);
      case ViewMap.Expand expand -> Optional.of(expand(index, expand.shape()));
    };
  }

  private static Optional<IndexFunction> slice(IndexFunction index, ViewMap.Slice slice) {
    Optional<IndexFunction> result = Optional.of(index);
    for (int i = 0; i < slice.extents().size(); i++) {
      int axis = i;
      if (!isWhole(index, slice, axis)) {
        result =
            result.flatMap(f ->
                f.slice(
                    axis,
                    slice.starts().get(axis),
                    slice.steps().get(axis),
                    slice.extents().get(axis)));
      }
    }
    return result;
  }

  private static boolean isWhole(IndexFunction index, ViewMap.Slice slice, int axis) {
    return slice.starts().get(axis).isZero()
        && slice.steps().get(axis) == 1
        && slice.extents().get(axis).equals(index.axes().get(axis).extent());
  }

  private static IndexFunction expand(IndexFunction index, List<Affine> shape) {
    IndexFunction result = index;
    while (result.rank() < shape.size()) {
      result = result.insertAxis(0);
    }
    for (int i = 0; i < shape.size(); i++) {
      if (!result.axes().get(i).extent().equals(shape.get(i))) {
        result = result.expand(i, shape.get(i));
      }
    }
    return result;
  }
}
