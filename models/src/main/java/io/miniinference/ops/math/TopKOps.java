package io.miniinference.ops.math;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Chosen;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;

/// The largest or smallest elements along an axis, in order, and where they lie. Results that the
/// file does not ask to be `sorted` are sorted all the same.
public final class TopKOps {
  private TopKOps() {}

  public static void addTo(OpTable table) {
    table
        .rows("TopK", 1, "1", "axis=-1 k", c -> topK(c, c.attrInt("k"), true))
        .rows("TopK", 10, "2", "axis=-1", c -> ofInput(c, true))
        .rows(
            "TopK", 11, "2", "axis=-1 largest=1 sorted=1", c -> ofInput(c, c.attrBool("largest")));
  }

  private static List<Value> ofInput(OpContext c, boolean largest) {
    Optional<PlannedSizes> planned = c.planned(1);
    if (planned.isEmpty()) {
      return topK(c, c.int1(1), largest);
    }
    Affine most = planned.get().largest().getFirst();
    if (planned.get().largest().size() != 1 || !most.isConstant()) {
      throw CountedAxes.joins();
    }
    return counted(c, most.constant(), Optional.of(c.in(1)), largest);
  }

  private static List<Value> topK(OpContext c, long k, boolean largest) {
    c.requireRank(0, 1);
    int axis = c.attrAxis("axis", c.rank(0));
    return c.countedAt(c.in(0), axis).isPresent()
        ? counted(c, k, Optional.empty(), largest)
        : c.emitAll(new Op.TopK(axis, k, largest), c.in(0));
  }

  /* Of rows of which only the device can tell how many there are, or as many as it tells. Filler is
  behind all that there is, and of equals the first is taken first. */
  private static List<Value> counted(OpContext c, long k, Optional<Value> asked, boolean largest) {
    c.requireRank(0, 1);
    if (k < 0) {
      throw LoweringFault.of(
          "asks for the %s %d elements".formatted(largest ? "largest" : "least", k));
    }
    int axis = c.attrAxis("axis", c.rank(0));
    ReduceKind kind = largest ? ReduceKind.MAX : ReduceKind.MIN;
    Value x = c.joined(c.in(0), List.of(axis), Neutral.of(kind, c.element(0)));
    Affine extent = x.type().dim(axis);
    long most = Math.max(2, Math.min(k, extent.constant()));
    if (!extent.isConstant() || extent.constant() < most || c.facts().isCounted(x)) {
      throw CountedAxes.joins();
    }
    Value count = count(c, axis, k, asked, Affine.of(most));
    Optional<Chosen.Elements> chosen =
        c.facts().chosen().greater(c.in(0)).filter(_ -> largest && c.element(0).isFloat());
    if (chosen.isPresent()) {
      return ofAll(c, chosen.get(), most, count);
    }
    List<Value> results = c.emitAll(new Op.TopK(axis, most, largest), x);
    results.forEach(result -> c.counted(result, axis, count));
    return results;
  }

  /* Of all elements, those that are not chosen being less than any that is: that they are put
  together first is for those who ask for their numbers. */
  private static List<Value> ofAll(OpContext c, Chosen.Elements chosen, long most, Value count) {
    Expr least = Neutral.of(ReduceKind.MAX, c.element(0));
    Value x = c.map(Exprs.select(Exprs.arg(1), Ex.x(), least), chosen.all(), chosen.mask());
    List<Value> results = c.emitAll(new Op.TopK(0, most, true), x);
    Value values = c.counted(results.get(0), 0, count);
    Value places = c.counted(results.get(1), 0, count);
    Value one = c.map(Exprs.cast(ElementType.I64, Ex.x()), chosen.mask());
    Value before = c.emit(new Op.Scan(Op.ScanKind.SUM, 0, true, false), one);
    Value numbers = c.rows(before, places);
    c.facts().chosen().note(numbers, new Chosen.Places(chosen.mask(), places));
    return List.of(values, numbers);
  }

  /* As many as are asked for, and are there. */
  private static Value count(OpContext c, int axis, long k, Optional<Value> asked, Affine most) {
    Optional<Value> there = c.countedAt(c.in(0), axis).map(CountedAxis::count);
    boolean isAll =
        asked.isPresent()
            && there.isPresent()
            && c.planned(1).filter(sizes -> sizes.isOf(c.facts(), there.get())).isPresent();
    if (isAll) {
      return there.get();
    }
    Optional<Value> wanted = asked.map(it -> c.facts().counts().atMost(c, it, most));
    return there
        .map(it ->
            wanted
                .map(w -> c.facts().counts().lesser(c, w, it))
                .orElseGet(() -> c.facts().counts().between(c, it, 0, k)))
        .orElseGet(wanted::orElseThrow);
  }
}
