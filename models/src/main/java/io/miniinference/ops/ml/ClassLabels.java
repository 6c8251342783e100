package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.stream.IntStream;

/// What the classes of a classifier are called: the one place where labels come into a model.
final class ClassLabels {
  private final OpContext c;
  private final long[] labels;

  private ClassLabels(OpContext c, long... labels) {
    this.c = c;
    this.labels = labels;
  }

  /// The labels that a node gives.
  ///
  /// @param integers name of the attribute with whole numbers
  static ClassLabels of(OpContext c, String integers) {
    if (!c.attributes().strings("classlabels_strings").isEmpty()) {
      throw LoweringFault.of(
          "has attribute 'classlabels_strings', and strings are not supported: train on the places"
              + " of the labels in a list, so that the file has '"
              + integers
              + "', and look labels up there");
    }
    return new ClassLabels(c, c.attrInts(integers));
  }

  /// Labels of classes that have none: their numbers.
  ClassLabels orNumbers(int count) {
    return labels.length > 0
        ? this
        : new ClassLabels(c, IntStream.range(0, count).asLongStream().toArray());
  }

  int count() {
    return labels.length;
  }

  /// Refuses another number of labels.
  ClassLabels require(long count) {
    if (labels.length != count) {
      throw LoweringFault.of("has %d labels for %d classes".formatted(labels.length, count));
    }
    return this;
  }

  /// The labels of classes that are given by number.
  ///
  /// @param numbers `I64`, each below [#count]
  Value at(Value numbers) {
    boolean same = IntStream.range(0, labels.length).allMatch(i -> labels[i] == i);
    if (same) {
      return numbers;
    }
    Value table = Lists.constant(c, Tensor.of(labels, labels.length));
    Selection rows = new Selection.Slices(0);
    return c.emit(new Op.Gather(rows, IndexBounds.TRUSTED), table, numbers);
  }

  /// The second label where a condition holds, else the first.
  Value ofTwo(Value condition) {
    return c.map(select(arg(0), number(1), number(0)), condition);
  }

  private Expr number(int i) {
    return const_(ElementType.I64, labels[i]);
  }
}
