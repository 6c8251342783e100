package io.miniinference.cost;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Costs of a model's steps as a table for people, and as fields for programs.
public final class CostText {
  private static final int NAME = 44;

  private CostText() {}

  /// A table of the steps, and under it the findings.
  ///
  /// @param peaks of the machine, which give each step a bound; null where they are not known
  public static String table(List<StepCost> costs, @Nullable Peaks peaks) {
    StringBuilder out = new StringBuilder(heading(peaks));
    costs.forEach(cost -> out.append(line(cost, peaks)));
    out.append(total(costs, peaks));
    costs.stream().filter(StepCost::isFinding).forEach(cost -> out.append(finding(cost)));
    return out.toString();
  }

  private static String heading(@Nullable Peaks peaks) {
    String given =
        peaks == null
            ? "state the machine's peaks with --peaks for a bound of each"
            : format("bounds at %.0f GFLOP/s and %.1f GB/s", peaks.gflops(), peaks.gigabytes());
    return format(
        "%nwhat each step computes (%s):%n%6s %-" + NAME + "s %10s %10s %10s  %s%n",
        given,
        "step",
        "",
        "MFLOP",
        "kB",
        "bound µs",
        "algorithm");
  }

  private static String line(StepCost cost, @Nullable Peaks peaks) {
    return format(
        "%6d %-" + NAME + "s %10.3f %10.1f %10s  %s%n",
        cost.number(),
        shortened(cost.op() + " " + cost.name()),
        cost.work().operations() / 1e6,
        cost.work().bytes() / 1e3,
        bound(cost.work(), peaks),
        algorithm(cost));
  }

  private static String algorithm(StepCost cost) {
    String why = cost.algorithm().why();
    return cost.algorithm().name() + (why.isEmpty() ? "" : ": " + why);
  }

  private static String bound(Work work, @Nullable Peaks peaks) {
    return peaks == null ? "" : format("%.1f", peaks.boundMicros(work));
  }

  private static String shortened(String name) {
    return name.length() <= NAME ? name : name.substring(0, NAME - 1) + "…";
  }

  private static String total(List<StepCost> costs, @Nullable Peaks peaks) {
    double operations = costs.stream().mapToDouble(cost -> cost.work().operations()).sum();
    double bytes = costs.stream().mapToDouble(cost -> cost.work().bytes()).sum();
    String bound =
        peaks == null
            ? ""
            : format("%.1f", costs.stream().mapToDouble(c -> peaks.boundMicros(c.work())).sum());
    return format(
        "%6s %-" + NAME + "s %10.3f %10.1f %10s%n",
        "",
        "all",
        operations / 1e6,
        bytes / 1e3,
        bound);
  }

  private static String finding(StepCost cost) {
    return format(
        "finding: step %d '%s' (%s) takes %,d operations in a plain loop: %s%n",
        cost.number(), cost.name(), cost.op(), cost.work().operations(), cost.algorithm().why());
  }

  /// The steps as a JSON array, for the field `costs` of `plan --json`.
  public static String json(List<StepCost> costs) {
    return "[" + String.join(",", costs.stream().map(CostText::object).toList()) + "]";
  }

  /* Algorithms and reasons are words of ours, without characters to escape; a step's name is told
  with the plan's steps. */
  private static String object(StepCost cost) {
    return format(
        "{\"step\":%d,\"algorithm\":\"%s\",\"plain\":%b,\"why\":\"%s\",\"operations\":%d,"
            + "\"readBytes\":%d,\"writtenBytes\":%d}",
        cost.number(),
        cost.algorithm().name(),
        cost.algorithm().isPlain(),
        cost.algorithm().why(),
        cost.work().operations(),
        cost.work().readBytes(),
        cost.work().writtenBytes());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
