package io.miniinference.codegen.cpu.winograd;

/// The transforms of Winograd's F(m, 3) along one axis (Lavin and Gray, *Fast Algorithms for
/// Convolutional Neural Networks*, 2015): m results of a filter of three taps from m + 2 inputs
/// take m + 2 products in place of 3 m. Along both axes they make a tile of m × m results.
public enum Form {
  /// F(2, 3), with the points 0, ±1 and ∞: a tile takes 16 products in place of 36.
  OF_TWO(2, 64, 36) {
    @Override
    public String ofInputs() {
      return """
      const float16 o0 = i0 - i2;
      const float16 o1 = i1 + i2;
      const float16 o2 = i2 - i1;
      const float16 o3 = i1 - i3;\
      """;
    }

    @Override
    public String ofProducts() {
      return """
      const float16 o0 = i0 + i1 + i2;
      const float16 o1 = i1 - i2 - i3;\
      """;
    }

    @Override
    double[][] filter() {
      return new double[][] {
        {1, 0, 0},
        {1 / 2.0, 1 / 2.0, 1 / 2.0},
        {1 / 2.0, -1 / 2.0, 1 / 2.0},
        {0, 0, 1}
      };
    }
  },

  /// F(4, 3), with the points 0, ±1, ±2 and ∞: a tile takes 36 products in place of 144.
  OF_FOUR(4, 280, 200) {
    @Override
    public String ofInputs() {
      return """
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
    }

    @Override
    public String ofProducts() {
      return """
      const float16 p0 = i1 + i2;
      const float16 p1 = i1 - i2;
      const float16 p2 = i3 + i4;
      const float16 p3 = i3 - i4;
      const float16 o0 = i0 + p0 + p2;
      const float16 o1 = fma(@splat(16, 2.0f), p3, p1);
      const float16 o2 = fma(@splat(16, 4.0f), p2, p0);
      const float16 o3 = fma(@splat(16, 8.0f), p3, p1) + i5;\
      """;
    }

    @Override
    double[][] filter() {
      return new double[][] {
        {1 / 4.0, 0, 0},
        {-1 / 6.0, -1 / 6.0, -1 / 6.0},
        {-1 / 6.0, 1 / 6.0, -1 / 6.0},
        {1 / 24.0, 1 / 12.0, 1 / 6.0},
        {1 / 24.0, -1 / 12.0, 1 / 6.0},
        {0, 0, 1}
      };
    }
  };

  private final int results;
  private final int costOfInputs;
  private final int costOfResults;

  /* The costs are the time of both axes' transforms of a tile, for sixteen channels, in
  multiply-adds of vectors: measured with PoCL on cores with 512-bit vectors. */
  Form(int results, int costOfInputs, int costOfResults) {
    this.results = results;
    this.costOfInputs = costOfInputs;
    this.costOfResults = costOfResults;
  }

  /// Results of a tile along an axis.
  public int results() {
    return results;
  }

  /// Inputs of a tile along an axis, and products.
  public int inputs() {
    return results + 2;
  }

  /// Products of a tile, for a pair of channels.
  public int products() {
    return inputs() * inputs();
  }

  int costOfInputs() {
    return costOfInputs;
  }

  int costOfResults() {
    return costOfResults;
  }

  /// Statements that make `o0`, `o1`, … of the inputs `i0`, `i1`, …, vectors of sixteen.
  public abstract String ofInputs();

  /// Statements that make the results `o0`, `o1`, … of the products `i0`, `i1`, …, vectors of
  /// sixteen.
  public abstract String ofProducts();

  /// The transform of a filter along one axis, a row for each product.
  abstract double[][] filter();

  /// The factors of the products of one filter, row by row, computed in double precision.
  ///
  /// @param taps of a filter 3×3, row by row
  double[] ofFilter(double[] taps) {
    double[][] rows = filter();
    double[] factors = new double[products()];
    for (int row = 0; row < rows.length; row++) {
      double[] along = new double[3];
      for (int x = 0; x < 3; x++) {
        along[x] = sum(rows[row], taps[x], taps[3 + x], taps[6 + x]);
      }
      for (int column = 0; column < rows.length; column++) {
        factors[row * rows.length + column] = sum(rows[column], along[0], along[1], along[2]);
      }
    }
    return factors;
  }

  private static double sum(double[] factors, double a, double b, double c) {
    return factors[0] * a + factors[1] * b + factors[2] * c;
  }

  /// As it is written: F(2x2, 3x3).
  @Override
  public String toString() {
    return "F(%1$dx%1$d, 3x3)".formatted(results);
  }
}
