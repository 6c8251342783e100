package io.miniinference.bench.planner;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.coalesce.LowerBound;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.verify.VerifiedPlan;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// What a plan takes, and what it is measured against.
///
/// @param lowerBoundBytes most bytes live at once, element by element, before any merge
/// @param boundBytes most bytes live at once of the blocks that were placed
/// @param greedyBytes the same blocks placed by TensorFlow Lite's rule
/// @param onlineBytes the same blocks placed by ONNX Runtime's
record PlanSize(
    String model,
    String layouts,
    int batch,
    long lowerBoundBytes,
    long boundBytes,
    long plannedBytes,
    long greedyBytes,
    long onlineBytes) {

  static PlanSize of(String model, String layouts, Program program, int batch) {
    Placement placement =
        Programs.sound(VerifiedPlan.of(program, PlanOptions.upTo(batch))).placement(batch);
    return new PlanSize(
        model,
        layouts,
        batch,
        LowerBound.bytes(program, batch),
        placement.placementBoundBytes(),
        placement.plannedBytes(),
        Baseline.GREEDY_BY_SIZE.peakBytes(placement.rectangles(), Placement.ALIGNMENT_BYTES),
        Baseline.ONLINE_BEST_FIT_WITH_REUSE.peakBytes(
            placement.rectangles(), Placement.ALIGNMENT_BYTES));
  }

  /// How each way to place does over all plans.
  static List<String> summary(List<PlanSize> sizes) {
    return sizes.isEmpty()
        ? List.of()
        : List.of(
            finding("planned", sizes, PlanSize::plannedBytes),
            finding("greedy by size", sizes, PlanSize::greedyBytes),
            finding("online best fit with reuse of equal sizes", sizes, PlanSize::onlineBytes));
  }

  private static String finding(String way, List<PlanSize> sizes, ToLongFunction<PlanSize> bytes) {
    double[] above =
        sizes.stream()
            .mapToDouble(size -> (double) bytes.applyAsLong(size) / size.boundBytes())
            .toArray();
    long met = sizes.stream().filter(size -> bytes.applyAsLong(size) == size.boundBytes()).count();
    double logs = Arrays.stream(above).map(Math::log).average().orElse(0);
    return String.format(
        Locale.ROOT,
        "%s: as many bytes as are live at once in %d of %d plans; %.3f times as many in the"
            + " geometric mean, at worst %.3f times",
        way,
        met,
        sizes.size(),
        Math.exp(logs),
        Arrays.stream(above).max().orElse(1));
  }
}
