package io.miniinference.bench.planner;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.coalesce.LowerBound;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.verify.VerifiedPlan;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What a plan takes, and what it is measured against.
///
/// @param lowerBoundBytes most bytes live at once, element by element, before any merge
/// @param boundBytes most bytes live at once of the blocks that were placed
record PlanSize(
    String model,
    String layouts,
    int batch,
    long lowerBoundBytes,
    long boundBytes,
    long plannedBytes) {

  static PlanSize of(String model, String layouts, Program program, int batch) {
    Placement placement =
        Programs.sound(VerifiedPlan.of(program, PlanOptions.upTo(batch))).placement(batch);
    return new PlanSize(
        model,
        layouts,
        batch,
        LowerBound.bytes(program, batch),
        placement.placementBoundBytes(),
        placement.plannedBytes());
  }

  /// How the planner does over all plans, of which there is one at least.
  static String summary(List<PlanSize> sizes) {
    double[] above =
        sizes.stream().mapToDouble(s -> (double) s.plannedBytes / s.boundBytes).toArray();
    double logs = Arrays.stream(above).map(Math::log).average().orElse(0);
    return String.format(
        Locale.ROOT,
        "planned: as many bytes as are live at once in %d of %d plans; %.3f times as many in the"
            + " geometric mean, at worst %.3f times",
        sizes.stream().filter(s -> s.plannedBytes == s.boundBytes).count(),
        above.length,
        Math.exp(logs),
        Arrays.stream(above).max().orElse(1));
  }
}
