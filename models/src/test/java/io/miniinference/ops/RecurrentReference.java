package io.miniinference.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/// A recurrent layer as the standard's formulas have it, in doubles, one row and one element at a
/// time.
final class RecurrentReference {
  private static final Map<String, DoubleUnaryOperator> FUNCTIONS =
      Map.of(
          "Sigmoid", x -> 1 / (1 + Math.exp(-x)),
          "Tanh", Math::tanh,
          "Relu", x -> Math.max(0, x),
          "Softsign", x -> x / (1 + Math.abs(x)),
          "Affine", x -> 0.7 * x + 0.1,
          "LeakyRelu", x -> x < 0 ? 0.2 * x : x,
          "HardSigmoid", x -> Math.max(0, Math.min(1, 0.3 * x + 0.4)),
          "Elu", x -> x < 0 ? 0.9 * Math.expm1(x) : x);

  /// For those of the functions above that have one.
  static final Map<String, Float> ALPHAS =
      Map.of("Affine", 0.7f, "LeakyRelu", 0.2f, "HardSigmoid", 0.3f, "Elu", 0.9f);

  static final Map<String, Float> BETAS = Map.of("Affine", 0.1f, "HardSigmoid", 0.4f);

  final String op;
  final int steps;
  final int batch;
  final int inputs;
  final int hidden;
  final int directions;
  final boolean reverse;
  final boolean flag;
  final double clip;
  final List<String> functions = new ArrayList<>();
  final int[] lengths;

  /* Directions first, batch second, as with layout 0. */
  final double[][][] x;
  final double[][][] w;
  final double[][][] r;
  final double[][] b;
  final double[][][] h;
  final double[][][] c;
  final double[][] p;

  RecurrentReference(String op, Random random) {
    this.op = op;
    steps = random.nextInt(5);
    batch = 1 + random.nextInt(3);
    inputs = 1 + random.nextInt(4);
    hidden = 1 + random.nextInt(4);
    directions = 1 + random.nextInt(2);
    reverse = random.nextBoolean();
    flag = random.nextBoolean();
    clip = random.nextBoolean() ? 0.4f : Double.POSITIVE_INFINITY;
    List<String> names = FUNCTIONS.keySet().stream().sorted().toList();
    for (int i = 0; i < directions * usual().size(); i++) {
      functions.add(names.get(random.nextInt(names.size())));
    }
    lengths = random.ints(batch, 0, steps + 1).toArray();
    int rows = gates() * hidden;
    x = cube(random, steps, batch, inputs);
    w = cube(random, directions, rows, inputs);
    r = cube(random, directions, rows, hidden);
    b = cube(random, 1, directions, 2 * rows)[0];
    h = cube(random, directions, batch, hidden);
    c = cube(random, directions, batch, hidden);
    p = cube(random, 1, directions, 3 * hidden)[0];
  }

  private static double[][][] cube(Random random, int n, int m, int k) {
    double[][][] cube = new double[n][m][k];
    for (double[][] plane : cube) {
      for (double[] row : plane) {
        for (int i = 0; i < k; i++) {
          row[i] = (float) random.nextDouble(-1, 1);
        }
      }
    }
    return cube;
  }

  int gates() {
    return op.equals("LSTM") ? 4 : op.equals("GRU") ? 3 : 1;
  }

  List<String> usual() {
    return switch (op) {
      case "LSTM" -> List.of("Sigmoid", "Tanh", "Tanh");
      case "GRU" -> List.of("Sigmoid", "Tanh");
      default -> List.of("Tanh");
    };
  }

  /// All hidden states `[steps][directions][batch]`; `h` and `c` hold the last states after it.
  double[][][][] run() {
    double[][][][] y = new double[steps][directions][batch][hidden];
    for (int d = 0; d < directions; d++) {
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < lengths[row]; k++) {
          int step = d == 1 || reverse && directions == 1 ? lengths[row] - 1 - k : k;
          step(d, row, x[step][row]);
          y[step][d][row] = h[d][row].clone();
        }
      }
    }
    return y;
  }

  private void step(int d, int row, double[] input) {
    switch (op) {
      case "LSTM" -> lstm(d, row, input);
      case "GRU" -> gru(d, row, input);
      default -> rnn(d, row, input);
    }
  }

  private double function(int d, int number, double value) {
    String name = functions.get(d * usual().size() + number);
    return Objects.requireNonNull(FUNCTIONS.get(name)).applyAsDouble(value);
  }

  private double bounded(int d, int number, double value) {
    return function(d, number, Math.max(-clip, Math.min(clip, value)));
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private double ofInput(int d, int gate, int i, double[] input) {
    int at = gate * hidden + i;
    return dot(w[d][at], input) + b[d][at];
  }

  private double ofState(int d, int gate, int i, double[] state) {
    int at = gate * hidden + i;
    return dot(r[d][at], state) + b[d][gates() * hidden + at];
  }

  private void rnn(int d, int row, double[] input) {
    double[] next = new double[hidden];
    for (int i = 0; i < hidden; i++) {
      next[i] = bounded(d, 0, ofInput(d, 0, i, input) + ofState(d, 0, i, h[d][row]));
    }
    h[d][row] = next;
  }

  private void gru(int d, int row, double[] input) {
    double[] old = h[d][row];
    double[] update = new double[hidden];
    double[] reset = new double[hidden];
    double[] kept = new double[hidden];
    for (int i = 0; i < hidden; i++) {
      update[i] = bounded(d, 0, ofInput(d, 0, i, input) + ofState(d, 0, i, old));
      reset[i] = bounded(d, 0, ofInput(d, 1, i, input) + ofState(d, 1, i, old));
      kept[i] = reset[i] * old[i];
    }
    double[] next = new double[hidden];
    for (int i = 0; i < hidden; i++) {
      double state = flag ? reset[i] * ofState(d, 2, i, old) : ofState(d, 2, i, kept);
      double candidate = bounded(d, 1, ofInput(d, 2, i, input) + state);
      next[i] = (1 - update[i]) * candidate + update[i] * old[i];
    }
    h[d][row] = next;
  }

  private void lstm(int d, int row, double[] input) {
    double[] old = h[d][row];
    double[] next = new double[hidden];
    for (int i = 0; i < hidden; i++) {
      double cell = c[d][row][i];
      double[] sums = new double[4];
      for (int gate = 0; gate < 4; gate++) {
        sums[gate] = ofInput(d, gate, i, input) + ofState(d, gate, i, old);
      }
      double in = bounded(d, 0, sums[0] + p[d][i] * cell);
      double forget = flag ? 1 - in : bounded(d, 0, sums[2] + p[d][2 * hidden + i] * cell);
      cell = forget * cell + in * bounded(d, 1, sums[3]);
      double out = bounded(d, 0, sums[1] + p[d][hidden + i] * cell);
      next[i] = out * function(d, 2, cell);
      c[d][row][i] = cell;
    }
    h[d][row] = next;
  }
}
