package io.miniinference.codegen.cpu.lanes;

import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;

/// Images of bytes whose channels lie in blocks, as images of integers that hold four channels
/// each.
public final class ChannelFours {
  private ChannelFours() {}

  /// Whether four channels of each pixel are neighbours.
  public static boolean areIn(IndexFunction index) {
    Axis channels = index.axes().get(1);
    return channels.isBlocked()
        && channels.stride().equals(Affine.ONE)
        && channels.block() % Weights.FOUR == 0
        && index.offset().isAlwaysMultipleOf(Weights.FOUR)
        && index.axes().stream()
            .allMatch(
                axis -> axis.equals(channels) || axis.stride().isAlwaysMultipleOf(Weights.FOUR))
        && channels.outerStride().isAlwaysMultipleOf(Weights.FOUR);
  }

  /// How the elements lie that a kernel reads.
  ///
  /// @param atOnce channels of an element; 1 leaves the array as it is
  public static IndexFunction elements(IndexFunction index, int atOnce) {
    if (atOnce == 1) {
      return index;
    }
    List<Axis> axes = new ArrayList<>();
    for (int i = 0; i < index.rank(); i++) {
      Axis axis = index.axes().get(i);
      Affine outer = axis.outerStride().dividedBy(atOnce);
      axes.add(
          i == 1
              ? new Axis(
                  axis.extent().dividedBy(atOnce), axis.stride(), axis.block() / atOnce, outer)
              : Axis.plain(axis.extent(), outer));
    }
    return new IndexFunction(index.offset().dividedBy(atOnce), axes);
  }
}
