package io.miniinference.layout;

import java.util.ArrayList;
import java.util.List;

/// An index function as the plain list of its element offsets in row-major order: the oracle that
/// movement operators are compared with.
///
/// @param shape extents at one batch size
/// @param offsets one per logical index
record Enumerated(List<Long> shape, List<Long> offsets) {

  static Enumerated of(IndexFunction index, long n) {
    List<Long> shape = index.shape().stream().map(e -> e.at(n)).toList();
    List<Long> offsets = new ArrayList<>();
    for (long[] at : indices(shape)) {
      offsets.add(index.at(at, n));
    }
    return new Enumerated(shape, offsets);
  }

  static List<long[]> indices(List<Long> shape) {
    List<long[]> all = new ArrayList<>(List.of(new long[shape.size()]));
    for (int axis = 0; axis < shape.size(); axis++) {
      List<long[]> next = new ArrayList<>();
      for (long[] prefix : all) {
        for (long i = 0; i < shape.get(axis); i++) {
          long[] index = prefix.clone();
          index[axis] = i;
          next.add(index);
        }
      }
      all = next;
    }
    return all;
  }

  private long offset(long[] index) {
    long position = 0;
    for (int i = 0; i < index.length; i++) {
      position = position * shape.get(i) + index[i];
    }
    return offsets.get((int) position);
  }

  Enumerated transpose(List<Integer> permutation) {
    List<Long> newShape = permutation.stream().map(shape::get).toList();
    return remap(
        newShape,
        index -> {
          long[] old = new long[index.length];
          for (int i = 0; i < index.length; i++) {
            old[permutation.get(i)] = index[i];
          }
          return old;
        });
  }

  Enumerated slice(int axis, long start, long step, long extent) {
    List<Long> newShape = new ArrayList<>(shape);
    newShape.set(axis, extent);
    return remap(
        newShape,
        index -> {
          index[axis] = start + step * index[axis];
          return index;
        });
  }

  Enumerated expand(int axis, long extent) {
    List<Long> newShape = new ArrayList<>(shape);
    newShape.set(axis, extent);
    return remap(
        newShape,
        index -> {
          index[axis] = 0;
          return index;
        });
  }

  Enumerated reshape(List<Long> newShape) {
    return new Enumerated(newShape, offsets);
  }

  private interface Map {
    long[] old(long[] index);
  }

  private Enumerated remap(List<Long> newShape, Map map) {
    List<Long> mapped = new ArrayList<>();
    for (long[] index : indices(newShape)) {
      mapped.add(offset(map.old(index.clone())));
    }
    return new Enumerated(newShape, mapped);
  }

  /// Whether some offset and strides, one per axis, give these offsets.
  boolean isStrided() {
    if (offsets.isEmpty()) {
      return true;
    }
    long[] strides = new long[shape.size()];
    for (int axis = 0; axis < strides.length; axis++) {
      if (shape.get(axis) > 1) {
        long[] one = new long[strides.length];
        one[axis] = 1;
        strides[axis] = offset(one) - offsets.getFirst();
      }
    }
    for (long[] index : indices(shape)) {
      long expected = offsets.getFirst();
      for (int i = 0; i < index.length; i++) {
        expected += index[i] * strides[i];
      }
      if (offset(index) != expected) {
        return false;
      }
    }
    return true;
  }
}
