package io.miniinference.runtime.serve;

import io.miniinference.cost.CostText;
import io.miniinference.cost.StepCost;
import io.miniinference.device.DeviceInfo;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.certificate.Certificate;
import io.miniinference.plan.certificate.PlanHeader;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.compile.Compiled;
import java.util.List;
import java.util.function.IntFunction;

/// Makes a loaded model's certificate at any batch size.
public record PlanReports(Compiled compiled, Reservation reservation, DeviceInfo device)
    implements IntFunction<PlanReport> {

  @Override
  public PlanReport apply(int batch) {
    Affine slots = reservation.spec().canFail() ? FailureSlot.bytes() : Affine.ZERO;
    PlanOptions options = compiled.planning().upTo(batch).withFailureBytes(slots);
    MemoryPlan plan = Planner.placedAt(compiled.plan(), options);
    Certificate certificate = Certificate.of(plan, batch, deployment());
    List<StepCost> costs = StepCost.of(compiled.lowered(), certificate.batch());
    return new PlanReport(
        certificate.text(), json(certificate.json(), costs), certificate.svg(), costs);
  }

  private static String json(String certificate, List<StepCost> costs) {
    String open = certificate.substring(0, certificate.length() - 1);
    return open + ",\"costs\":" + CostText.json(costs) + "}";
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
