package io.miniinference.interp.plain;

import io.miniinference.interp.lanes.FloatMath;
import io.miniinference.interp.lanes.Lanes;
import io.miniinference.interp.lanes.VectorFunctions;
import java.util.Arrays;

/// What Softmax and Normalize need of all elements of a line, in double precision.
final class LineMath {
  private static final int LANES = 8;

  private LineMath() {}

  /// The largest element; −∞ of none, NaN where one is NaN.
  static double max(double[] line) {
    double[] most = new double[LANES];
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
    int done = Lanes.areInUse() ? VectorFunctions.max(line, most) : 0;
    for (int i = done; i < line.length; i++) {
      int lane = i & LANES - 1;
      most[lane] = Math.max(most[lane], line[i]);
    }
    double result = most[0];
    for (double lane : most) {
      result = Math.max(result, lane);
    }
    return result;
  }

  static double sum(double[] line) {
    PartialSums sums = new PartialSums();
    sums.add(line);
    return sums.total();
  }

  /// The sum of the squares of what elements are more than `center`.
  static double squares(double[] line, double center) {
    PartialSums sums = new PartialSums();
    sums.addSquares(line, center);
    return sums.total();
  }

  /// Each element becomes the exponential function of what it is more than `most`.
  static void exp(double[] line, double most) {
    int done = Lanes.areInUse() ? VectorFunctions.expAbove(line, most) : 0;
    for (int i = done; i < line.length; i++) {
      line[i] = FloatMath.exp(line[i] - most);
    }
  }
}
