package io.miniinference.runtime.serve;

import io.miniinference.cost.CostText;
import io.miniinference.cost.StepCost;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.certificate.Certificate;
import io.miniinference.plan.certificate.PlanHeader;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.compile.Compiled;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// Makes a loaded model's certificate at any batch size.
///
/// @param reservedBytes what a load takes from the pool
public record PlanReports(
    Compiled compiled, Reservation reservation, DeviceInfo device, long reservedBytes)
    implements IntFunction<PlanReport> {

  /// Of a load that takes what the reservation says.
  public PlanReports(Compiled compiled, Reservation reservation, DeviceInfo device) {
    this(compiled, reservation, device, reservation.bytes());
  }

  @Override
  public PlanReport apply(int batch) {
    Affine slots = reservation.spec().canFail() ? FailureSlot.bytes() : Affine.ZERO;
    PlanOptions options = compiled.planning().upTo(batch).withFailureBytes(slots);
    MemoryPlan plan = Planner.placedAt(compiled.plan(), options);
    Certificate certificate = Certificate.of(plan, batch, deployment(batch));
    List<StepCost> costs = StepCost.of(compiled.lowered(), certificate.batch());
    Optional<RowArena> parts = microBatches(batch);
    Optional<RowArena> lanes = lanes(batch);
    Optional<RowArena> rows = rows(batch, parts.isPresent());
    String arena =
        rows.map(RowArenaText::text)
            .or(() -> parts.map(RowArenaText::microBatches))
            .or(() -> lanes.map(RowArenaText::parts))
            .orElse("");
    return new PlanReport(
        arena + certificate.text(),
        json(
            certificate.json(),
            rows.map(it -> RowArenaText.json(it, false))
                .or(() -> parts.map(it -> RowArenaText.json(it, true)))
                .or(() -> lanes.map(it -> RowArenaText.json(it, false))),
            costs),
        certificate.svg(),
        costs);
  }

  /// The certificate at that batch size if the batch is open, else at its own.
  public PlanReport openAt(int batch) {
    return apply(compiled.lowered().graph().hasBatch() ? batch : 1);
  }

  /* The arena of a batch that goes row by row. */
  private Optional<RowArena> rows(int batch, boolean mayGoInParts) {
    return reservation
        .spec()
        .rowsUpTo(Math.max(1, batch))
        .filter(rows -> !mayGoInParts || rows.lanes().shareEvenly(batch))
        .map(RowSpec::arena);
  }

  /* The arena of a batch that goes in micro-batches. */
  private Optional<RowArena> microBatches(int batch) {
    return reservation.spec().microBatchesUpTo(Math.max(1, batch)).map(MicroBatchSpec::arena);
  }

  /* The lanes of a batch that goes in parts. */
  private Optional<RowArena> lanes(int batch) {
    return reservation.spec().partsUpTo(Math.max(1, batch)).map(PartSpec::arena);
  }

  private static String json(String certificate, Optional<String> rows, List<StepCost> costs) {
    String open = certificate.substring(0, certificate.length() - 1);
    return open + ",\"rows\":" + rows.orElse("null") + ",\"costs\":" + CostText.json(costs) + "}";
  }

  /* Of kernels for ranges of the batch, one of them is launched. */
  private int launches(int batch) {
    return Math.toIntExact(
        compiled.generated().launches().stream()
            .map(Launch::work)
            .filter(work -> !(work instanceof Launch.Groups it) || it.batches().contains(batch))
            .count());
  }

  private PlanHeader deployment(int batch) {
    return new PlanHeader(
        compiled.name(),
        device.name(),
        reservation.weights().bytes(),
        reservedBytes,
        launches(batch),
        compiled.lowered().hostSyncs(),
        compiled.planningMillis());
  }
}
