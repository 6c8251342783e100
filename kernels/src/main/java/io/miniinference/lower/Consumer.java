package io.miniinference.lower;

import io.miniinference.ir.Node;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A node that reads a value, for a choice of the layout in which the value suits it.
///
/// @param node no view
/// @param views through which it reads the value, in order; empty where it reads the value itself
public record Consumer(Node node, List<Movement> views) {
  public Consumer {
    views = List.copyOf(views);
  }

  /// Whether it reads a value of `rank` axes with axis 1 moved to the end, and the value is no
  /// other for it: a `Transpose` from `NCHW` to `NHWC`.
  public boolean readsChannelsLast(int rank) {
    List<Integer> axes = axes(rank);
    axes.add(axes.remove(1));
    return isTransposed(axes);
  }

  /// Whether it reads a value of `rank` axes with its last axis moved to place 1: a `Transpose`
  /// from `NHWC` to `NCHW`.
  public boolean readsLastAxisAsChannels(int rank) {
    List<Integer> axes = axes(rank);
    axes.add(1, axes.removeLast());
    return isTransposed(axes);
  }

  /// Whether axis 1 of a value is axis 1 of what its first operand is: not so of an image without a
  /// batch, `CHW`, which is reshaped to `NCHW`.
  public boolean readsChannelsAsTheyAre(TensorType value) {
    TensorType read = node.inputs().getFirst().type();
    boolean areSame =
        read.rank() > 1
            && value.rank() > 1
            && read.shape().subList(0, 2).equals(value.shape().subList(0, 2));
    return areSame || views.stream().allMatch(Movement.Slice.class::isInstance);
  }

  private static List<Integer> axes(int rank) {
    return IntStream.range(0, rank).boxed().collect(Collectors.toCollection(ArrayList::new));
  }

  private boolean isTransposed(List<Integer> permutation) {
    return views.equals(List.of(new Movement.Transpose(permutation)));
  }
}
