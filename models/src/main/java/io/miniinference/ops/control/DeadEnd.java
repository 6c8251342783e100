package io.miniinference.ops.control;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Pruning;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.BodyFault;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.Faults;
import io.miniinference.ops.node.NegativeSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The end of a body at a size that the request's values make negative, or that is not known since
/// what it follows from fails, where only the device knows whether it comes there. It holds what
/// runs ahead of the size and, in the place of a negative one, a Gather that takes it for an index
/// and so fails the run, with the report that the host would give. What the body would give is zero
/// in any shape, which follows from all of that.
final class DeadEnd {
  private final BodyImport body;

  /// Null if what the size follows from fails.
  private final @Nullable NegativeSize size;

  private DeadEnd(BodyImport body, @Nullable NegativeSize size) {
    this.body = body;
    this.size = size;
  }

  /// The end of a body.
  ///
  /// @param fault of the body, which [BodyFault#isDeadEnd]
  static DeadEnd of(BodyImport body, BodyFault fault) {
    List<Faults.Negative> negatives = fault.negatives();
    return new DeadEnd(body, negatives.isEmpty() ? null : negatives.getFirst().size());
  }

  /// The body's results.
  List<Value> results(Emitter node, List<TensorType> types) {
    Emitter e = node.into(body.draft());
    Value zero = size == null ? placeOfLargest(e, afterAhead(e)) : failed(size, afterAhead(e));
    return types.stream()
        .map(type -> e.expand(e.cast(zero, type.element()), type.shape()))
        .toList();
  }

  /// The body's results in place of others, which hold what these do.
  List<Value> resultsAs(Emitter node, List<Value> others) {
    List<Value> results = results(node, BodyDraft.types(others));
    for (int i = 0; i < results.size(); i++) {
      body.facts().codeAs(results.get(i), others.get(i));
    }
    return results;
  }

  /* Zero, of the only element. */
  private static Value placeOfLargest(Emitter e, Value data) {
    return e.reduce(Op.ReduceKind.ARG_MAX, List.of(0), false, Ex.x(), data);
  }

  /* What follows from all that may fail ahead of the size: it is to fail first. So is what stands
  around the body, though only what comes behind the size may read it. */
  private Value afterAhead(Emitter e) {
    Set<Value> around = body.draft().fallibleAround();
    List<Value> ahead = new ArrayList<>(body.needed());
    ahead.removeIf(value -> !around.contains(value));
    ahead.addAll(failing());
    if (size == null && ahead.isEmpty()) {
      throw LoweringFault.specialisable("has a size in its body that follows from what fails");
    }
    Value all = LoopRule.whole(e, 0);
    for (Value value : ahead) {
      all = e.add(all, largest(e, e.numbers(value)));
    }
    return e.reshape(all, 1);
  }

  private static Value largest(Emitter e, Value value) {
    Value whole = e.cast(value, ElementType.I64);
    List<Integer> axes = IntStream.range(0, value.type().rank()).boxed().toList();
    return axes.isEmpty() ? whole : e.reduce(Op.ReduceKind.MAX, axes, false, Ex.x(), whole);
  }

  /* Of what runs ahead in the body. */
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
  private Value failed(NegativeSize negative, Value data) {
    Emitter e = new Emitter(body.draft(), negative.node(), negative.op());
    Integer iteration = negative.iteration();
    if (iteration == null) {
      return gather(e, negative, data);
    }
    BodyDraft inside = new BodyDraft(body.draft().inner());
    List<Value> results = List.of(gather(e.into(inside.draft()), negative, data));
    List<Value> captured = List.copyOf(inside.captured(results));
    Graph once = inside.close("body", captured, results);
    return e.emit(new Op.Iteration(once, iteration), captured).getFirst();
  }

  private static Value gather(Emitter e, NegativeSize negative, Value data) {
    Value index = e.constant(SmallTensors.of(ElementType.I64, new long[] {1}, negative.size()));
    var bounds = IndexBounds.of(new IndexBounds.Size(negative.axis(), negative.position()));
    return e.reshape(
        e.emit(new Op.Gather(new Selection.Slices(0), bounds), data, index), List.of());
  }
}
