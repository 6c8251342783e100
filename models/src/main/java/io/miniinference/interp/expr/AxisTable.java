package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Lift;
import io.miniinference.interp.memory.Scratch;
import java.lang.reflect.Array;
import java.util.Arrays;

/// The values of one register by the index along an axis: an array of floats or of longs, as the
/// registers are.
final class AxisTable {
  private final Object from;
  private final Object to;
  private Object values;

  private AxisTable(Object from, Object to) {
    this.from = from;
    this.to = to;
    this.values = array(0);
  }

  static AxisTable of(Lift lift, Frame frame) {
    Object[] registers = lift.from().type().isFloat() ? frame.floats() : frame.wholes();
    return new AxisTable(registers[lift.from().number()], registers[lift.to().number()]);
  }

  private Object array(int length) {
    return Array.newInstance(from.getClass().componentType(), length);
  }

  /// Has room for some indices.
  void grow(int length) {
    values = Array.getLength(values) < length ? array(length) : values;
  }

  /// Takes the values of `count` indices from the register, for those from `at` on.
  void take(int at, int count) {
    System.arraycopy(from, 0, values, at, count);
  }

  /// Turns values by index into values by element: each `inner` times, and all of them again until
  /// a stretch may start anywhere among the first.
  void tile(int inner, int extent) {
    int length = Scratch.COLUMNS + inner * extent;
    Object tiles = array(length);
    for (int at = 0; at < length; at += inner) {
      fill(tiles, at / inner % extent, at, Math.min(inner, length - at));
    }
    values = tiles;
  }

  /// Gives `count` values from `first` on to the elements from `at` on.
  void copy(int first, int at, int count) {
    System.arraycopy(values, first, to, at, count);
  }

  /// Gives one value to `count` elements from `at` on.
  void repeat(int index, int at, int count) {
    fill(to, index, at, count);
  }

  private void fill(Object target, int index, int at, int count) {
    if (target instanceof float[] floats) {
      Arrays.fill(floats, at, at + count, ((float[]) values)[index]);
    } else {
      Arrays.fill((long[]) target, at, at + count, ((long[]) values)[index]);
    }
  }
}
