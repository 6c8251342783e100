package io.miniinference.listing;

import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;

/// Text of the steps that kernels compute: what each computes, over which arrays, in which form.
public final class StepListing {
  private final Page page = new Page();

  private StepListing() {}

  public static String of(LoweredProgram program) {
    StepListing listing = new StepListing();
    program
        .weights()
        .forEach(weight ->
            listing.page.line(
                "weight @%d '%s' packed as %s"
                    .formatted(weight.block().id(), weight.block().name(), weight.packing())));
    program.steps().forEach(listing::step);
    return listing.page.toString();
  }

  private void step(LoweredStep step) {
    page.line(
        "step %d '%s' %s by %s"
            .formatted(step.number(), step.node().name(), step.node().onnxOp(), step.strategy()));
    page.nested(() -> details(step));
  }

  private void details(LoweredStep step) {
    for (int i = 0; i < step.inputs().size(); i++) {
      boolean packed = i < step.packed().size() && step.packed().get(i);
      page.line("reads " + ArrayListing.of(step.inputs().get(i)) + (packed ? ", packed" : ""));
    }
    LoweredStep.Gathered gathered = step.gathered();
    if (gathered != null) {
      page.line("gathers operand %d by '%s'".formatted(gathered.operand(), gathered.node().name()));
    }
    step.guards()
        .forEach(guard ->
            page.line(
                "only if %s is %s".formatted(ArrayListing.of(guard.condition()), guard.wanted())));
    if (step.failure() != null) {
      page.line("may fail");
    }
    page.line("writes " + ArrayListing.of(step.output()));
  }
}
