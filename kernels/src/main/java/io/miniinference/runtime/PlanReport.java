package io.miniinference.runtime;

import io.miniinference.cost.StepCost;
import java.util.List;

/// A memory plan's certificate in the forms in which it is shown, and what its steps cost.
///
/// @param text for a terminal
/// @param json one line, the fields of `./mie plan --json`
/// @param svg time × address
/// @param costs of the steps that launch kernels, in order
public record PlanReport(String text, String json, String svg, List<StepCost> costs) {
  public PlanReport {
    costs = List.copyOf(costs);
  }
}
