package io.miniinference.codegen.cpu.winograd;

/// The transforms of Winograd's F(4, 3) with the points 0, ±1, ±2 and ∞ (Lavin and Gray, *Fast
/// Algorithms for Convolutional Neural Networks*, 2015), each along one axis: four results of a
/// filter of three taps from six inputs take six products in place of twelve. Along both axes they
/// make 4×4 results of 6×6 inputs with 36 products in place of 144.
public final class Transforms {
  /// Results of a tile along an axis.
  public static final int RESULTS = 4;

  /// Inputs of a tile along an axis, and products.
  public static final int INPUTS = 6;

  /// Products of a tile, for a pair of channels.
  public static final int PRODUCTS = INPUTS * INPUTS;

  private static final double[][] FILTER = {
    {1 / 4.0, 0, 0},
    {-1 / 6.0, -1 / 6.0, -1 / 6.0},
    {-1 / 6.0, 1 / 6.0, -1 / 6.0},
    {1 / 24.0, 1 / 12.0, 1 / 6.0},
    {1 / 24.0, -1 / 12.0, 1 / 6.0},
    {0, 0, 1}
  };

  private static final String INPUT =
      """
      const float16 p0 = fma(@splat(16, -4.0f), i2, i4);
      const float16 p1 = fma(@splat(16, -4.0f), i1, i3);
      const float16 p2 = i4 - i2;
      const float16 p3 = i3 - i1;
      const float16 o0 = fma(@splat(16, 4.0f), i0, fma(@splat(16, -5.0f), i2, i4));
      const float16 o1 = p0 + p1;
      const float16 o2 = p0 - p1;
      const float16 o3 = fma(@splat(16, 2.0f), p3, p2);
      const float16 o4 = fma(@splat(16, -2.0f), p3, p2);
      const float16 o5 = fma(@splat(16, 4.0f), i1, fma(@splat(16, -5.0f), i3, i5));\
      """;

  private static final String RESULT =
      """
      const float16 p0 = i1 + i2;
      const float16 p1 = i1 - i2;
      const float16 p2 = i3 + i4;
      const float16 p3 = i3 - i4;
      const float16 o0 = i0 + p0 + p2;
      const float16 o1 = fma(@splat(16, 2.0f), p3, p1);
      const float16 o2 = fma(@splat(16, 4.0f), p2, p0);
      const float16 o3 = fma(@splat(16, 8.0f), p3, p1) + i5;\
      """;

  private Transforms() {}

  /// Statements that make `o0` to `o5` of the inputs `i0` to `i5`, vectors of sixteen.
  public static String ofInputs() {
    return INPUT;
  }

  /// Statements that make the results `o0` to `o3` of the products `i0` to `i5`, vectors of
  /// sixteen.
  public static String ofProducts() {
    return RESULT;
  }

  /// The factors of the products of one filter, row by row, computed in double precision.
  ///
  /// @param taps of a filter 3×3, row by row
  static double[] ofFilter(double[] taps) {
    double[] factors = new double[PRODUCTS];
    for (int row = 0; row < INPUTS; row++) {
      double[] along = new double[3];
      for (int x = 0; x < 3; x++) {
        along[x] = sum(FILTER[row], taps[x], taps[3 + x], taps[6 + x]);
      }
      for (int column = 0; column < INPUTS; column++) {
        factors[row * INPUTS + column] = sum(FILTER[column], along[0], along[1], along[2]);
      }
    }
    return factors;
  }

  private static double sum(double[] factors, double a, double b, double c) {
    return factors[0] * a + factors[1] * b + factors[2] * c;
  }
}
