package io.miniinference.runtime;

import io.miniinference.device.DeviceInfo;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.certificate.Certificate;
import io.miniinference.plan.certificate.PlanHeader;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import java.util.function.IntFunction;

/// Makes a loaded model's certificate at any batch size.
record PlanReports(Compiled compiled, Reservation reservation, DeviceInfo device)
    implements IntFunction<PlanReport> {

  @Override
  public PlanReport apply(int batch) {
    Affine slots = reservation.spec().canFail() ? FailureSlot.bytes() : Affine.ZERO;
    PlanOptions options = compiled.planning().upTo(batch).withFailureBytes(slots);
    MemoryPlan plan = Planner.placedAt(compiled.plan(), options);
    Certificate certificate = Certificate.of(plan, batch, deployment());
    return new PlanReport(certificate.text(), certificate.json(), certificate.svg());
  }

  private PlanHeader deployment() {
    return new PlanHeader(
        compiled.name(),
        device.name(),
        reservation.weights().bytes(),
        reservation.bytes(),
        compiled.generated().launches().size(),
        compiled.lowered().hostSyncs(),
        compiled.planningMillis());
  }
}
