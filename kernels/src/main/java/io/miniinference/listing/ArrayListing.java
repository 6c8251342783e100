package io.miniinference.listing;

import io.miniinference.plan.Array;
import java.util.List;
import java.util.stream.Collectors;

/// Text of an array: its name, its block and how it lies there.
final class ArrayListing {
  private ArrayListing() {}

  /// `name @3[0+{N:784, 784:1}]`: the array in block 3, with extent and stride of each axis.
  static String of(Array array) {
    return "%s @%d[%s]".formatted(array.name(), array.block().id(), array.index());
  }

  static String of(List<Array> arrays) {
    return arrays.isEmpty()
        ? "nothing"
        : arrays.stream().map(ArrayListing::of).collect(Collectors.joining(", "));
  }
}
