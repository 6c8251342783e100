package io.miniinference.bench.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How many ratios are together.
public final class Ratios {
  private Ratios() {}

  /// A line with the geometric mean and the worst; empty where there are none.
  ///
  /// @param subject whose times are divided
  /// @param peer by whose
  public static Optional<String> summary(String subject, String peer, List<Comparison> all) {
    return all.stream()
        .max(Comparator.comparingDouble(figure -> figure.ratio().value()))
        .map(worst -> summary(subject + " / " + peer, all, worst));
  }

  private static String summary(String what, List<Comparison> all, Comparison worst) {
    double logs = all.stream().mapToDouble(f -> Math.log(f.ratio().value())).average().orElse(0);
    return String.format(
        Locale.ROOT,
        "%s over %d figures: geometric mean %.3f, worst %.3f [%.3f, %.3f] (%s, %s),"
            + " highest end of an interval %.3f",
        what,
        all.size(),
        Math.exp(logs),
        worst.ratio().value(),
        worst.ratio().low(),
        worst.ratio().high(),
        worst.name(),
        worst.parameters().text(),
        all.stream().mapToDouble(f -> f.ratio().high()).max().orElse(0));
  }
}
