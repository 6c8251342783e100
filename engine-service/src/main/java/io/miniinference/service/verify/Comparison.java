package io.miniinference.service.verify;

import io.miniinference.ir.Tensor;
import io.miniinference.strings.StringTable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongPredicate;

/// Compares an output with the expected one: type and shape always, floats within a tolerance, all
/// else exactly.
///
/// @param rows which rows of axis 0 count
record Comparison(String output, Tensor expected, Tensor actual, LongPredicate rows) {

  static Comparison of(String output, Tensor expected, Tensor actual) {
    return new Comparison(output, expected, actual, row -> true);
  }

  /// What is different, if anything is.
  Optional<String> within(Tolerance tolerance) {
    if (expected.element() != actual.element()
        || expected.isOfStrings() != actual.isOfStrings()
        || !Arrays.equals(expected.shape(), actual.shape())) {
      return Optional.of("output '%s' is %s, expected %s".formatted(output, actual, expected));
    }
    return comparable().values(tolerance.ofOutputs(expected.element()));
  }

  /* Strings by codes of one table, which are equal where they are. */
  private Comparison comparable() {
    StringTable table = expected.table();
    return table == null ? this : new Comparison(output, expected, actual.codedIn(table), rows);
  }

  /// What is not the same bit for bit, if anything; which of the many NaNs one is, devices choose.
  Optional<String> bitForBit() {
    Optional<String> type = within(new Tolerance(0, Double.MAX_VALUE, false));
    return type.isPresent() ? type : comparable().differingRow();
  }

  private Optional<String> differingRow() {
    long elements = expected.elements();
    long perRow = rowElements(elements);
    for (long i = 0; i < elements; i++) {
      if (rows.test(i / perRow) && !sameBits(i)) {
        return Optional.of(
            "output '%s' differs in the bits of row %d".formatted(output, i / perRow));
      }
    }
    return Optional.empty();
  }

  private boolean sameBits(long i) {
    return expected.element().isFloat()
        ? Double.doubleToLongBits(Values.real(actual, i))
            == Double.doubleToLongBits(Values.real(expected, i))
        : Values.whole(actual, i).equals(Values.whole(expected, i));
  }

  private Optional<String> values(Tolerance tolerance) {
    long elements = expected.elements();
    long perRow = rowElements(elements);
    double max = expected.element().isFloat() && tolerance.ofMax() ? max(elements) : 0;
    long wrong = 0;
    long first = -1;
    for (long i = 0; i < elements; i++) {
      if (rows.test(i / perRow) && !same(i, tolerance, max)) {
        wrong++;
        first = first < 0 ? i : first;
      }
    }
    return first < 0 ? Optional.empty() : Optional.of(difference(wrong, first));
  }

  private long rowElements(long elements) {
    long rowCount = expected.shape().length == 0 ? 1 : expected.shape()[0];
    return rowCount == 0 ? 1 : Math.max(1, elements / rowCount);
  }

  private boolean same(long i, Tolerance tolerance, double max) {
    return expected.element().isFloat()
        ? tolerance.allows(Values.real(actual, i), Values.real(expected, i), max)
        : Values.whole(actual, i).equals(Values.whole(expected, i));
  }

  private double max(long elements) {
    double max = 0;
    for (long i = 0; i < elements; i++) {
      double magnitude = Math.abs(Values.real(expected, i));
      max = Double.isFinite(magnitude) ? Math.max(max, magnitude) : max;
    }
    return max;
  }

  private String difference(long wrong, long first) {
    return "output '%s': %d of %d values differ, first at %d: %s, expected %s%s"
        .formatted(
            output,
            wrong,
            expected.elements(),
            first,
            Values.text(actual, first),
            Values.text(expected, first),
            expected.element().isFloat() ? distance() : "");
  }

  /* What tells another order of sums from another answer. */
  private String distance() {
    long elements = expected.elements();
    long perRow = rowElements(elements);
    double furthest = 0;
    for (long i = 0; i < elements; i++) {
      if (rows.test(i / perRow)) {
        furthest = Math.max(furthest, distance(Values.real(actual, i), Values.real(expected, i)));
      }
    }
    return String.format(
        Locale.ROOT, "; off by at most %.3g, where values reach %.3g", furthest, max(elements));
  }

  private static double distance(double one, double other) {
    if (one == other || (Double.isNaN(one) && Double.isNaN(other))) {
      return 0;
    }
    double distance = Math.abs(one - other);
    return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
  }
}
