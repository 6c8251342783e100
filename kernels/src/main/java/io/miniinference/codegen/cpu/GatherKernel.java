package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.stream.IntStream;

/// Gather: a work item is one index tuple with all that it names, or, where a tuple names single
/// elements, a row of them. It checks each tuple once, and where one is bad reports it and stores
/// zeros, so that nothing out of bounds is touched.
final class GatherKernel {
  /// Longest row of single elements that is one work item.
  private static final long ROW_ELEMENTS = 4096;

  private final LoweredStep step;
  private final StepText s;
  private final IndexTupleText tuple;

  private GatherKernel(LoweredStep step, Op.Gather op, int failures) {
    this.step = step;
    this.s = new StepText(step, 1);
    this.tuple = new IndexTupleText(s, op.selection(), op.bounds(), failures);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Gather op, int failures) {
    return new GatherKernel(step, op, failures).write();
  }

  private KernelText.Written write() {
    List<Integer> named = named();
    Rows rows = new Rows(shape(), named.isEmpty() ? lastAxis() : named);
    List<Coordinate> at = rows.coordinates();
    rows.openItem(s.text());
    if (named.isEmpty()) {
      rows.openRow(s.text());
      tuple.check(at);
    } else {
      tuple.check(at);
      rows.openRow(s.text());
    }
    ElementType element = step.node().inputs().getFirst().type().element();
    String read = s.read(0, tuple.place(at));
    s.text().line("const " + s.type(0).computed() + " result = " + tuple.orZero(read) + ";");
    s.store(s.epilogue("result", element, at), at);
    rows.closeRow(s.text());
    return new KernelText.Written(s.text(), rows.work());
  }

  private List<Affine> shape() {
    return step.node().output().type().shape();
  }

  /* The axes of what one tuple names, as far as they come after all others. */
  private List<Integer> named() {
    Addressing addressing = tuple.addressing();
    int first = addressing.firstAxis() + addressing.tupleAxes();
    return IntStream.range(first, shape().size()).boxed().toList();
  }

  private List<Integer> lastAxis() {
    int last = shape().size() - 1;
    boolean isRow =
        last >= 0 && shape().get(last).isConstant() && shape().get(last).constant() <= ROW_ELEMENTS;
    return isRow ? List.of(last) : List.of();
  }
}
