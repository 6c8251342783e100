package io.miniinference.ops.lists;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.draft.Structure;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Lists whose length is known at load, and optionals ([ONNX
/// operators](https://onnx.ai/onnx/operators/), Sequence and Optional).
public final class ListOps {
  private ListOps() {}

  public static void addTo(OpTable table) {
    table
        .row("SequenceConstruct", 11, "1-*", "", c -> c.list(Arrays.asList(c.all())))
        .row("SequenceEmpty", 11, "0", "dtype=1", c -> c.list(List.of()))
        .row("SequenceAt", 11, "2", "", c -> elements(c).get(place(c, 1, elements(c).size() - 1)))
        .row("SequenceInsert", 11, "2-3", "", ListOps::insert)
        .row("SequenceErase", 11, "1-2", "", ListOps::erase)
        .row("SequenceLength", 11, "1", "", ListOps::length)
        .row("ConcatFromSequence", 11, "1", "axis new_axis=0", ListOps::concat)
        .row("SplitToSequence", 11, "1-2", "axis=0 keepdims=1", c -> new SplitRule(c).lower())
        .rows("SequenceMap", 17, "1-*", "body", c -> new MapRule(c).lower())
        .row("Optional", 15, "0-1", "type", ListOps::optional)
        .row("OptionalHasElement", 15, "0-1", "", ListOps::hasElement)
        .row("OptionalGetElement", 15, "1", "", ListOps::element);
  }

  /// The tensors of the list that is input 0.
  static List<Value> elements(OpContext c) {
    return c.elements(0)
        .orElseThrow(() ->
            LoweringFault.of(
                "input 0 %s is no list of tensors".formatted(Quote.of(c.in(0).name()))));
  }

  /* Of `[−last − 1, last]`, as one of `[0, last]`; of `last` alone, −1 is the last. */
  private static int place(OpContext c, int input, int last) {
    return place(c, input, last, last + 1);
  }

  private static int place(OpContext c, int input, int last, int count) {
    long place = c.int1(input);
    if (place < -count || place > last) {
      throw LoweringFault.of("place %d is outside [%d, %d]".formatted(place, -count, last));
    }
    return (int) (place < 0 ? place + count : place);
  }

  private static Value insert(OpContext c) {
    List<Value> elements = new ArrayList<>(elements(c));
    Value added = c.in(1);
    if (!elements.isEmpty() && elements.getFirst().type().element() != added.type().element()) {
      throw LoweringFault.of(
          "puts %s into a list of %s".formatted(added.type(), elements.getFirst().type()));
    }
    int size = elements.size();
    elements.add(c.has(2) ? place(c, 2, size, size) : size, added);
    return c.list(elements);
  }

  private static Value erase(OpContext c) {
    List<Value> elements = new ArrayList<>(elements(c));
    int last = elements.size() - 1;
    if (last < 0) {
      throw LoweringFault.of("takes a tensor out of a list that has none");
    }
    elements.remove(c.has(1) ? place(c, 1, last) : last);
    return c.list(elements);
  }

  private static Value length(OpContext c) {
    long length = elements(c).size();
    return c.constant(SmallTensors.of(ElementType.I64, new long[0], length));
  }

  private static Value concat(OpContext c) {
    List<Value> elements = elements(c);
    if (elements.isEmpty()) {
      throw LoweringFault.of("joins a list that has no tensors");
    }
    int rank = elements.getFirst().type().rank();
    if (!c.attrBool("new_axis")) {
      return c.concat(c.attrAxis("axis", rank), elements);
    }
    int axis = c.attrAxis("axis", rank + 1);
    return c.concat(axis, elements.stream().map(element -> c.unsqueeze(element, axis, 1)).toList());
  }

  private static Value optional(OpContext c) {
    return c.has(0) ? c.in(0) : c.structure(new Structure.Nothing());
  }

  private static boolean isNothing(OpContext c) {
    return !c.has(0)
        || c.draft().structure(c.in(0)).filter(Structure.Nothing.class::isInstance).isPresent();
  }

  private static Value hasElement(OpContext c) {
    return c.constant(SmallTensors.of(ElementType.BOOL, new long[0], isNothing(c) ? 0L : 1L));
  }

  private static Value element(OpContext c) {
    if (isNothing(c)) {
      throw LoweringFault.of("takes the value of an optional that has none");
    }
    return c.in(0);
  }
}
