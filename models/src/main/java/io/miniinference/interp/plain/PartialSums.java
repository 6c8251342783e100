package io.miniinference.interp.plain;

import io.miniinference.interp.lanes.Lanes;
import io.miniinference.interp.lanes.VectorFunctions;
import java.util.Arrays;

/// A sum of floats as eight sums in double precision: term `i` goes to sum `i mod 8`, so that a
/// processor can add eight terms at once and the order is the same wherever in memory they lie. The
/// eight are added in pairs at the end.
public final class PartialSums {
  private static final int COUNT = 8;

  private final double[] sums = new double[COUNT];
  private int next;

  public void reset() {
    Arrays.fill(sums, 0);
    next = 0;
  }

  /// Adds one term.
  public void add(double term) {
    sums[next] += term;
    next = next + 1 & COUNT - 1;
  }

  /// Adds all terms, the first of them to the first sum.
  void add(double[] terms) {
    next = 0;
    int done = Lanes.areInUse() ? VectorFunctions.add(terms, sums) : 0;
    for (int i = done; i < terms.length; i++) {
      add(terms[i]);
    }
  }

  /// Adds the square of what each term is more than `center`, likewise.
  void addSquares(double[] terms, double center) {
    next = 0;
    int done = Lanes.areInUse() ? VectorFunctions.addSquares(terms, center, sums) : 0;
    for (int i = done; i < terms.length; i++) {
      double x = terms[i] - center;
      add(x * x);
    }
  }

  /// Adds the first `count` terms.
  public void add(float[] terms, int count) {
    int head = Math.min(count, COUNT - next & COUNT - 1);
    for (int i = 0; i < head; i++) {
      add(terms[i]);
    }
    int whole = head + (count - head & -COUNT);
    addWhole(terms, head, whole);
    for (int i = whole; i < count; i++) {
      add(terms[i]);
    }
  }

  /* From the first sum to the last, again and again. */
  private void addWhole(float[] terms, int from, int to) {
    double s0 = sums[0];
    double s1 = sums[1];
    double s2 = sums[2];
    double s3 = sums[3];
    double s4 = sums[4];
    double s5 = sums[5];
    double s6 = sums[6];
    double s7 = sums[7];
    for (int i = from; i < to; i += COUNT) {
      s0 += terms[i];
      s1 += terms[i + 1];
      s2 += terms[i + 2];
      s3 += terms[i + 3];
      s4 += terms[i + 4];
      s5 += terms[i + 5];
      s6 += terms[i + 6];
      s7 += terms[i + 7];
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
    sums[4] = s4;
    sums[5] = s5;
    sums[6] = s6;
    sums[7] = s7;
  }

  public double total() {
    return sums[0] + sums[1] + (sums[2] + sums[3]) + (sums[4] + sums[5] + (sums[6] + sums[7]));
  }
}
