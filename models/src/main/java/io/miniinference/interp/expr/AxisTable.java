package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Lift;
import io.miniinference.interp.memory.Scratch;
import java.util.Arrays;

/// The values of one register by the index along an axis.
sealed interface AxisTable {
  static AxisTable of(Lift lift, Frame frame) {
    int from = lift.from().number();
    int to = lift.to().number();
    return lift.from().type().isFloat()
        ? new Reals(frame.floats()[from], frame.floats()[to])
        : new Wholes(frame.wholes()[from], frame.wholes()[to]);
  }

  /// Has room for some indices.
  void grow(int length);

  /// Takes the values of `count` indices from the register, for those from `at` on.
  void take(int at, int count);

  /// Turns values by index into values by element: each `inner` times, and all of them again until
  /// a stretch may start anywhere among the first.
  void tile(int inner, int extent);

  /// Gives `count` values from `first` on to the elements from `at` on.
  void copy(int first, int at, int count);

  /// Gives one value to `count` elements from `at` on.
  void repeat(int index, int at, int count);

  /// Of floats.
  final class Reals implements AxisTable {
    private final float[] from;
    private final float[] to;
    private float[] values = {};

    private Reals(float[] from, float[] to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void grow(int length) {
      values = values.length < length ? new float[length] : values;
    }

    @Override
    public void take(int at, int count) {
      System.arraycopy(from, 0, values, at, count);
    }

    @Override
    public void tile(int inner, int extent) {
      float[] tiles = new float[Scratch.COLUMNS + inner * extent];
      for (int at = 0, index = 0; at < tiles.length; index = index + 1 == extent ? 0 : index + 1) {
        for (int i = 0; i < inner && at < tiles.length; i++) {
          tiles[at++] = values[index];
        }
      }
      values = tiles;
    }

    @Override
    public void copy(int first, int at, int count) {
      System.arraycopy(values, first, to, at, count);
    }

    @Override
    public void repeat(int index, int at, int count) {
      Arrays.fill(to, at, at + count, values[index]);
    }
  }

  /// Of longs.
  final class Wholes implements AxisTable {
    private final long[] from;
    private final long[] to;
    private long[] values = {};

    private Wholes(long[] from, long[] to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void grow(int length) {
      values = values.length < length ? new long[length] : values;
    }

    @Override
    public void take(int at, int count) {
      System.arraycopy(from, 0, values, at, count);
    }

    @Override
    public void tile(int inner, int extent) {
      long[] tiles = new long[Scratch.COLUMNS + inner * extent];
      for (int at = 0, index = 0; at < tiles.length; index = index + 1 == extent ? 0 : index + 1) {
        for (int i = 0; i < inner && at < tiles.length; i++) {
          tiles[at++] = values[index];
        }
      }
      values = tiles;
    }

    @Override
    public void copy(int first, int at, int count) {
      System.arraycopy(values, first, to, at, count);
    }

    @Override
    public void repeat(int index, int at, int count) {
      Arrays.fill(to, at, at + count, values[index]);
    }
  }
}
