package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// Gather: each work item checks the index tuple of its element. Only one that finds it bad looks
/// for the first bad index of its row and reports that, so that all who fail there write the same;
/// it stores zero and touches nothing out of bounds.
final class GatherKernel {
  private static final Template KERNEL =
      Template.of(
          "gather",
          """
          $item
          $check
          const $type result = $value;
          $store
          """);

  private GatherKernel() {}

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Gather op, int failures) {
    StepText s = new StepText(step, Elements.LOCAL);
    IndexTupleText tuple = new IndexTupleText(s, op.selection(), op.bounds(), failures);
    Elements elements = new Elements(step.output().index());
    List<Coordinate> at = elements.coordinates();
    ElementType element = step.node().inputs().getFirst().type().element();
    s.text()
        .head(Elements.ABOUT)
        .add(
            KERNEL
                .with("item", elements.item())
                .with("check", tuple.check(at))
                .with("type", s.type(0).computed())
                .with("value", tuple.orZero(s.read(0, tuple.place(at))))
                .with("store", s.stored(s.epilogue("result", element, at), at)));
    return new KernelText.Written(s.text(), elements.work());
  }
}
