package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Fallible;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.stream.IntStream;

/// The end of a body at a size that the request's values make negative, where only the device knows
/// whether it comes there: what runs ahead of the size, and a Gather in the size's place that takes
/// it for an index and so fails the run, with the report that the host would give. What the body
/// would give is a value of no meaning that follows from that Gather, in any shape.
final class DeadEnd {
  private final BodyImport body;
  private final NegativeSize size;

  private DeadEnd(BodyImport body, NegativeSize size) {
    this.body = body;
    this.size = size;
  }

  /// The end of a body that comes to a negative size and has no other fault ahead of it.
  ///
  /// @param fault of the body, which [BodyFault#isDeadEnd]
  static DeadEnd of(BodyImport body, BodyFault fault) {
    return new DeadEnd(body, fault.negatives().getFirst().size());
  }

  /// The body's results.
  List<Value> results(List<TensorType> types) {
    Emitter e = new Emitter(body.draft(), size.node(), size.op());
    Value failed = failed(e, afterAhead(e));
    return types.stream()
        .map(type -> e.expand(e.cast(failed, type.element()), type.shape()))
        .toList();
  }

  /* Zero, or what follows from all that may fail ahead of the size: it is to fail first. */
  private Value afterAhead(Emitter e) {
    Value all = LoopRule.whole(e, 0);
    for (Value value : failing()) {
      all = e.add(all, largest(e, value));
    }
    return e.reshape(all, 1);
  }

  private static Value largest(Emitter e, Value value) {
    Value whole = e.cast(value, ElementType.I64);
    List<Integer> axes = IntStream.range(0, value.type().rank()).boxed().toList();
    return axes.isEmpty() ? whole : e.reduce(Op.ReduceKind.MAX, axes, false, Ex.x(), whole);
  }

  private List<Value> failing() {
    List<Value> ahead = body.ahead();
    Graph whole = body.close("ahead", List.copyOf(body.captured(ahead)), ahead);
    Fallible fallible = Fallible.in(whole);
    return Pruning.kept(whole.nodes(), ahead).stream()
        .filter(fallible::mayFail)
        .map(Node::outputs)
        .flatMap(List::stream)
        .toList();
  }

  /* The size's step, in the iteration of the loop around it that was unrolled, if there is one. */
  private Value failed(Emitter e, Value data) {
    Integer iteration = size.iteration();
    if (iteration == null) {
      return gather(e, data);
    }
    BodyDraft inside = new BodyDraft(body.draft().inner());
    List<Value> results = List.of(gather(e.into(inside.draft()), data));
    List<Value> captured = List.copyOf(inside.captured(results));
    Graph once = inside.close("body", captured, results);
    return e.emit(new Op.Iteration(once, iteration), captured).getFirst();
  }

  private Value gather(Emitter e, Value data) {
    Value index = e.constant(SmallTensors.of(ElementType.I64, new long[] {1}, size.size()));
    var bounds = IndexBounds.of(new IndexBounds.Size(size.axis(), size.position()));
    return e.reshape(
        e.emit(new Op.Gather(new Selection.Slices(0), bounds), data, index), List.of());
  }
}
