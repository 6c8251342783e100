package io.miniinference.ops.ml;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.text.KnownList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// What the classes of a classifier are called, numbers or strings: the one place where labels come
/// into a model.
final class ClassLabels {
  private final OpContext c;
  private final KnownList labels;

  private ClassLabels(OpContext c, KnownList labels) {
    this.c = c;
    this.labels = labels;
  }

  /// The labels that a node gives: its `classlabels_strings`, or whole numbers.
  ///
  /// @param integers name of the attribute with whole numbers
  static ClassLabels of(OpContext c, String integers) {
    List<String> strings = c.attributes().strings("classlabels_strings");
    return new ClassLabels(
        c,
        strings.isEmpty() ? KnownList.longs(c.attrInts(integers)) : KnownList.strings(c, strings));
  }

  /// Labels of classes that have none: their numbers.
  ClassLabels orNumbers(int count) {
    return count() > 0
        ? this
        : new ClassLabels(c, KnownList.longs(LongStream.range(0, count).toArray()));
  }

  int count() {
    return labels.size();
  }

  /// Refuses another number of labels.
  ClassLabels require(long count) {
    if (count() != count) {
      throw LoweringFault.of("has %d labels for %d classes".formatted(count(), count));
    }
    return this;
  }

  /// The labels of classes that are given by number.
  ///
  /// @param numbers `I64`, each below [#count]
  Value at(Value numbers) {
    return areNumbers()
        ? numbers
        : c.emit(
            new Op.Gather(new Selection.Slices(0), IndexBounds.TRUSTED),
            labels.constant(c),
            numbers);
  }

  private boolean areNumbers() {
    return labels.coded().isEmpty()
        && IntStream.range(0, count())
            .allMatch(i -> SmallTensors.integer(labels.elements(), i) == i);
  }

  /// The second label where a condition holds, else the first.
  Value ofTwo(Value condition) {
    return at(c.cast(condition, ElementType.I64));
  }
}
