package io.miniinference.codegen.cpu;

import io.miniinference.codegen.DivisionText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredStep;

/// Elementwise computation, copies and conversions: loops over the output in memory order.
final class MapKernel {
  private MapKernel() {}

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Elementwise op, int failures) {
    StepText s = new StepText(step, 1);
    Loops loops = Loops.over(step.output().index());
    loops.openItem(s.text());
    loops.openInner(s.text());
    DivisionText.check(s, loops.coordinates(), failures);
    s.store(s.expression(op.expr(), loops.coordinates()), loops.coordinates());
    loops.closeInner(s.text());
    return new KernelText.Written(s.text(), loops.work());
  }
}
