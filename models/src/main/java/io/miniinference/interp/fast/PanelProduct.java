package io.miniinference.interp.fast;

import io.miniinference.interp.memory.Scratch;
import java.util.Arrays;

/// A matrix product `left · right` in tiles that stay in cache: a panel of rows of `right` is
/// loaded into arrays, each row of the result sums up multiples of them.
///
/// The result's columns are at most [Scratch#COLUMNS]; the loops have the form that the JVM's
/// compiler vectorises ([io.miniinference.interp.expr.FloatLoops]). Products are added one after
/// the other and not rounded before that, as the plain forms, kernels for OpenCL and most libraries
/// do it, so that the same digits come out. A processor without fused multiply-add (x86 before
/// 2013) would take very long for it.
final class PanelProduct {
  /* Times zero it changes no sum, not even one that is −0. */
  private static final float NEUTRAL = -0f;

  private final Scratch scratch;

  PanelProduct(Scratch scratch) {
    this.scratch = scratch;
  }

  /// The left operand.
  interface Left {
    /// Reads elements `k` to `k + count − 1` of row `row`.
    void row(int row, int k, float[] target, int count);
  }

  /// The right operand, restricted to the columns at hand.
  interface Right {
    /// Reads rows `k` to `k + count − 1`, one into each array.
    void rows(int k, float[][] target, int count);
  }

  /// Takes a finished row.
  interface Result {
    void row(int row, float[] values);
  }

  void multiply(int rows, int depth, int columns, Left left, Right right, Result result) {
    for (int r = 0; r < rows; r += Scratch.ROWS) {
      int height = Math.min(Scratch.ROWS, rows - r);
      for (int i = 0; i < height; i++) {
        Arrays.fill(scratch.sums[i], 0, columns, 0);
      }
      for (int k = 0; k < depth; k += Scratch.DEPTH) {
        int length = Math.min(Scratch.DEPTH, depth - k);
        if (r == 0 || depth > Scratch.DEPTH) {
          load(right, k, length, columns);
        }
        accumulate(left, r, height, k, length, columns);
      }
      for (int i = 0; i < height; i++) {
        result.row(r + i, scratch.sums[i]);
      }
    }
  }

  private static int padded(int length) {
    return length + 3 & ~3;
  }

  private void load(Right right, int k, int length, int columns) {
    right.rows(k, scratch.panel, length);
    for (int i = length; i < padded(length); i++) {
      Arrays.fill(scratch.panel[i], 0, columns, 0);
    }
  }

  private void accumulate(Left left, int first, int height, int k, int length, int columns) {
    int even = height & ~1;
    for (int i = 0; i < even; i += 2) {
      row(left, first + i, k, length, scratch.left);
      row(left, first + i + 1, k, length, scratch.right);
      two(i, length, columns);
    }
    if (even < height) {
      row(left, first + even, k, length, scratch.left);
      one(even, length, columns);
    }
  }

  private static void row(Left left, int row, int k, int length, float[] target) {
    left.row(row, k, target, length);
    Arrays.fill(target, length, padded(length), NEUTRAL);
  }

  private void two(int row, int length, int columns) {
    float[][] p = scratch.panel;
    for (int k = 0; k < length; k += 4) {
      twoByFour(
          scratch.sums[row], scratch.sums[row + 1], p[k], p[k + 1], p[k + 2], p[k + 3], k, columns);
    }
  }

  private void one(int row, int length, int columns) {
    float[][] p = scratch.panel;
    for (int k = 0; k < length; k += 4) {
      oneByFour(scratch.sums[row], p[k], p[k + 1], p[k + 2], p[k + 3], k, columns);
    }
  }

  private void twoByFour(
      float[] s, float[] t, float[] a, float[] b, float[] c, float[] d, int k, int columns) {
    float[] w = scratch.left;
    float[] v = scratch.right;
    float w0 = w[k];
    float w1 = w[k + 1];
    float w2 = w[k + 2];
    float w3 = w[k + 3];
    float v0 = v[k];
    float v1 = v[k + 1];
    float v2 = v[k + 2];
    float v3 = v[k + 3];
    for (int i = 0; i < columns; i++) {
      s[i] = Math.fma(w3, d[i], Math.fma(w2, c[i], Math.fma(w1, b[i], Math.fma(w0, a[i], s[i]))));
      t[i] = Math.fma(v3, d[i], Math.fma(v2, c[i], Math.fma(v1, b[i], Math.fma(v0, a[i], t[i]))));
    }
  }

  private void oneByFour(
      float[] s, float[] a, float[] b, float[] c, float[] d, int k, int columns) {
    float[] w = scratch.left;
    float w0 = w[k];
    float w1 = w[k + 1];
    float w2 = w[k + 2];
    float w3 = w[k + 3];
    for (int i = 0; i < columns; i++) {
      s[i] = Math.fma(w3, d[i], Math.fma(w2, c[i], Math.fma(w1, b[i], Math.fma(w0, a[i], s[i]))));
    }
  }
}
