package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.TestedTuples;
import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Gather: a work item is a row of index tuples with all that they name, or one tuple where that
/// names many elements. It tests all tuples of the row ahead; where that finds a bad one, it checks
/// each, reports those that are bad, and stores zeros, so that nothing out of bounds is touched.
final class GatherKernel {
  /// Longest row of single elements that is one work item.
  private static final long ROW_ELEMENTS = 4096;

  /// Most elements of a work item that has several axes of tuples, or several tuples of several
  /// elements.
  private static final long FEW_ELEMENTS = 1024;

  /// Elements that are only moved, below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 4096;

  private static final String HEAD =
      """
      A work item owns a row of the result: some index tuples with all that they name, read in any layout.
      Tuples that may be bad are tested ahead in a loop without a branch, so that the copy itself asks for nothing.
      """;

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
    List<Integer> tuples = tuples();
    List<Integer> inner = new ArrayList<>(tuples);
    inner.addAll(named());
    Rows rows = new Rows(shape(), inner);
    String elements =
        TestedTuples.write(
            tuple,
            tuples,
            test -> rows.over(tuples, test),
            rows.coordinates(),
            tested -> elements(tested, rows, tuples));
    s.text().head(HEAD).line(Statements.of(rows.item(), elements));
    return new KernelText.Written(s.text(), rows.work(GRAIN_ELEMENTS));
  }

  private static final Template ELEMENT =
      Template.of(
          "gathered element",
          """
          const $type result = $value;
          $store
          """);

  private String elements(IndexTupleText tested, Rows rows, List<Integer> tuples) {
    List<Coordinate> at = rows.coordinates();
    ElementType element = step.node().inputs().getFirst().type().element();
    String each =
        ELEMENT
            .with("type", s.type(0).computed())
            .with("value", tested.orZero(s.read(0, tested.place(at))))
            .with("store", s.stored(s.epilogue("result", element, at), at))
            .text();
    return rows.over(tuples, Statements.of(tested.check(at), rows.over(named(), each)));
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

  /* The axes of the tuples that one work item takes: from the last on, as long as rows stay short.
  A tuple that names many elements is one work item. */
  private List<Integer> tuples() {
    Affine each = named().stream().map(shape()::get).reduce(Affine.ONE, Affine::times);
    long elements = each.isOpen() ? each.typical() : each.at(1);
    int end = shape().size() - named().size();
    int first = end;
    while (first > 0 && shape().get(first - 1).isConstant()) {
      elements *= Math.max(1, shape().get(first - 1).typical());
      if (elements > (end - first == 0 && named().isEmpty() ? ROW_ELEMENTS : FEW_ELEMENTS)) {
        break;
      }
      first--;
    }
    return IntStream.range(first, end).boxed().toList();
  }
}
