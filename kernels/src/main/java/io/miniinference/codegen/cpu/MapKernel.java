package io.miniinference.codegen.cpu;

import io.miniinference.codegen.DivisionText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredStep;

/// Elementwise computation, copies and conversions: loops over the output in memory order, an
/// element at a time where there is no [VectorMap].
final class MapKernel {
  private static final String HEAD =
      """
      A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
      them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. One at a time:
      %s.
      """;

  private MapKernel() {}

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Elementwise op, int failures) {
    return VectorMap.write(step, op).orElseGet(() -> writeEach(step, op, failures));
  }

  private static KernelText.Written writeEach(LoweredStep step, Op.Elementwise op, int failures) {
    StepText s = new StepText(step, 1);
    Loops loops = Loops.over(step.output().index());
    s.text().head(HEAD.formatted(VectorMap.whyNot(step, op)));
    String check = DivisionText.check(s, loops.coordinates(), failures);
    String store = s.stored(s.expression(op.expr(), loops.coordinates()), loops.coordinates());
    s.text().line(loops.over(Statements.of(check, store)));
    return new KernelText.Written(s.text(), loops.work());
  }
}
