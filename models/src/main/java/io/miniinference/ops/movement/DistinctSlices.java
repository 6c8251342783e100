package io.miniinference.ops.movement;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.SmallTensors;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The slices of a tensor along an axis, each once: what ONNX's Unique answers.
///
/// @param values the slices, by their elements or in the order of their first places
/// @param first where each of them comes first
/// @param inverse for each slice of the tensor, which of them it is
/// @param counts how often each of them comes
record DistinctSlices(Tensor values, long[] first, long[] inverse, long[] counts) {
  /// Of the elements in row-major order.
  static DistinctSlices ofElements(Tensor data, boolean sorted) {
    Tensor line = new Tensor(data.element(), new long[] {data.elements()}, data.data());
    return along(line, 0, sorted);
  }

  static DistinctSlices along(Tensor data, int axis, boolean sorted) {
    Slices slices = Slices.of(data, axis);
    TreeMap<Integer, List<Integer>> groups = new TreeMap<>(slices);
    for (int i = 0; i < slices.count(); i++) {
      groups.computeIfAbsent(i, k -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> ordered = new ArrayList<>(groups.values());
    if (!sorted) {
      ordered.sort(Comparator.comparing(List::getFirst));
    }
    return of(slices, ordered);
  }

  private static DistinctSlices of(Slices slices, List<List<Integer>> groups) {
    long[] inverse = new long[slices.count()];
    for (int k = 0; k < groups.size(); k++) {
      for (int place : groups.get(k)) {
        inverse[place] = k;
      }
    }
    long[] first = groups.stream().mapToLong(List::getFirst).toArray();
    long[] counts = groups.stream().mapToLong(List::size).toArray();
    return new DistinctSlices(slices.chosen(first), first, inverse, counts);
  }

  /// The slices of a tensor, ordered by their elements, the first that differs; NaN comes last, and
  /// is equal to itself. Zeros of either sign are equal.
  ///
  /// @param below elements from one place on the axis to the next
  /// @param count of the slices
  private record Slices(Tensor data, int axis, int below, int count)
      implements Comparator<Integer> {
    static Slices of(Tensor data, int axis) {
      long below = Arrays.stream(data.shape()).skip(axis + 1L).reduce(1, (a, b) -> a * b);
      return new Slices(data, axis, (int) below, (int) data.shape()[axis]);
    }

    private int elements() {
      return (int) (data.elements() / Math.max(1, count));
    }

    private long place(long slice, int element) {
      return ((element / below) * (long) count + slice) * below + element % below;
    }

    @Override
    public int compare(Integer a, Integer b) {
      for (int i = 0; i < elements(); i++) {
        int order = order(place(a, i), place(b, i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    private int order(long a, long b) {
      if (data.element().isFloat()) {
        return Double.compare(SmallTensors.real(data, a) + 0.0, SmallTensors.real(data, b) + 0.0);
      }
      long left = SmallTensors.integer(data, a);
      long right = SmallTensors.integer(data, b);
      return data.element() == ElementType.U64
          ? Long.compareUnsigned(left, right)
          : Long.compare(left, right);
    }

    Tensor chosen(long[] slices) {
      long[] shape = data.shape().clone();
      shape[axis] = slices.length;
      int width = data.element().bytes();
      MemorySegment bytes = MemorySegment.ofArray(new byte[slices.length * elements() * width]);
      for (int e = 0; e < elements(); e++) {
        for (int k = 0; k < slices.length; k++) {
          long to = ((e / below) * (long) slices.length + k) * below + e % below;
          MemorySegment.copy(data.data(), place(slices[k], e) * width, bytes, to * width, width);
        }
      }
      return new Tensor(data.element(), shape, bytes);
    }
  }
}
