package io.miniinference.ops.ml;

import io.miniinference.ops.draft.LoweringFault;
import java.util.Arrays;

/// The branches of all trees, each `x[feature] ≤ threshold`: what ONNX has besides is made of
/// these.
///
/// What follows a branch is a *reference*: the number of a branch, or `~leaf`. NaN goes where a
/// branch says, whatever its threshold.
final class TreeEnsembleBranches {
  /// Where a comparison leads.
  ///
  /// @param nan whether NaN is taken for true
  record Ways(int yes, int no, boolean nan) {
    private Ways turned() {
      return new Ways(no, yes, !nan);
    }
  }

  private final boolean wide;
  private int[] features;
  private double[] thresholds;
  private int[] yes;
  private int[] no;
  private boolean[] nan;
  private int size;

  /// @param reserved branches that are set by number; further ones come behind them
  /// @param wide whether thresholds are 64-bit floats
  TreeEnsembleBranches(int reserved, boolean wide) {
    this.wide = wide;
    size = reserved;
    features = new int[reserved];
    thresholds = new double[reserved];
    yes = new int[reserved];
    no = new int[reserved];
    nan = new boolean[reserved];
  }

  int size() {
    return size;
  }

  int feature(int branch) {
    return features[branch];
  }

  double threshold(int branch) {
    return thresholds[branch];
  }

  int yes(int branch) {
    return yes[branch];
  }

  int no(int branch) {
    return no[branch];
  }

  boolean nanIsTrue(int branch) {
    return nan[branch];
  }

  /// Sets a branch to a comparison with a number.
  void set(int branch, TreeEnsembleMode mode, int feature, double number, Ways ways) {
    switch (mode) {
      case BRANCH_LEQ -> put(branch, feature, atMost(number), ways);
      case BRANCH_LT -> put(branch, feature, below(number), ways);
      case BRANCH_GTE -> put(branch, feature, below(number), ways.turned());
      case BRANCH_GT -> put(branch, feature, atMost(number), ways.turned());
      case BRANCH_EQ -> putEqual(branch, feature, number, ways);
      case BRANCH_NEQ -> putEqual(branch, feature, number, new Ways(ways.no, ways.yes, false));
      case BRANCH_MEMBER, LEAF -> throw new IllegalArgumentException(mode + " compares nothing");
    }
  }

  /// Sets a branch to whether a feature is one of some numbers: a search for the smallest that is
  /// not below it.
  void setMember(int branch, int feature, double[] numbers, Ways ways) {
    double[] sorted = Arrays.stream(numbers).filter(v -> !Double.isNaN(v)).sorted().toArray();
    if (sorted.length == 0) {
      put(branch, feature, Double.NaN, ways);
      return;
    }
    search(branch, feature, new Range(sorted, 0, sorted.length), ways);
  }

  /// Numbers from `from` on and before `to`.
  @SuppressWarnings("ArrayRecordComponent")
  private record Range(double[] numbers, int from, int to) {}

  /* Halves, so that it goes as deep as a number has bits. */
  private void search(int branch, int feature, Range range, Ways ways) {
    if (range.to - range.from == 1) {
      putEqual(branch, feature, range.numbers[range.from], ways);
      return;
    }
    int middle = (range.from + range.to) >>> 1;
    int low = add();
    int high = add();
    put(branch, feature, atMost(range.numbers[middle - 1]), new Ways(low, high, true));
    search(low, feature, new Range(range.numbers, range.from, middle), ways);
    search(high, feature, new Range(range.numbers, middle, range.to), ways);
  }

  private void putEqual(int branch, int feature, double number, Ways ways) {
    if (!wide && (float) number != number) {
      put(branch, feature, Double.NaN, ways); // which no 32-bit float equals
      return;
    }
    int second = add();
    put(branch, feature, number, new Ways(second, ways.no, ways.nan));
    put(second, feature, below(number), new Ways(ways.no, ways.yes, false));
  }

  private int add() {
    if (size == features.length) {
      int room = Math.max(16, Math.addExact(size, size));
      features = Arrays.copyOf(features, room);
      thresholds = Arrays.copyOf(thresholds, room);
      yes = Arrays.copyOf(yes, room);
      no = Arrays.copyOf(no, room);
      nan = Arrays.copyOf(nan, room);
    }
    return size++;
  }

  private void put(int branch, int feature, double threshold, Ways ways) {
    if (feature < 0) {
      throw LoweringFault.of("compares feature " + feature);
    }
    features[branch] = feature;
    thresholds[branch] = threshold;
    yes[branch] = ways.yes;
    no[branch] = ways.no;
    nan[branch] = ways.nan;
  }

  /* The largest number of the type that is not above; NaN, which nothing is at most, stays. */
  private double atMost(double number) {
    float narrow = (float) number;
    return wide || narrow <= number ? wideOr(number, narrow) : Math.nextDown(narrow);
  }

  private double wideOr(double number, float narrow) {
    return wide ? number : narrow;
  }

  /* The largest number of the type that is below; there is none below −∞. */
  private double below(double number) {
    if (number == Double.NEGATIVE_INFINITY) {
      return Double.NaN;
    }
    double most = atMost(number);
    return most < number ? most : wide ? Math.nextDown(number) : Math.nextDown((float) number);
  }
}
