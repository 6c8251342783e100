package io.miniinference.ops.movement;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.CountedIndices;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A scatter of which only the device can tell how many updates there are, or how long an axis of
/// the data is. Updates that are filler go to a place behind the data, which is left out again.
final class CountedScatter {
  private final Emitter c;
  private final Selection selection;
  private final Op.ScatterKind kind;

  CountedScatter(Emitter c, Selection selection, Op.ScatterKind kind) {
    this.c = c;
    this.selection = selection;
    this.kind = kind;
  }

  Value lower(Value data, Value indices, Value updates) {
    Optional<CountedAxis> ofData = c.facts().counted(data);
    Optional<CountedAxis> ofIndices = c.facts().counted(indices);
    Optional<CountedAxis> ofUpdates = c.facts().counted(updates);
    if (ofData.isEmpty() && ofIndices.isEmpty() && ofUpdates.isEmpty()) {
      return c.emit(new Op.Scatter(selection, kind), data, indices, updates);
    }
    Addressing addressing = Addressing.of(selection, data.type(), indices.type());
    boolean isRowwise =
        ofData.isPresent()
            && ofData.equals(ofIndices)
            && ofData.equals(ofUpdates)
            && addressing.isKept(ofData.get().axis());
    boolean isSafe =
        ofIndices.equals(ofUpdates)
            && ofIndices.map(it -> it.axis() < addressing.tupleAxes()).orElse(true)
            && ofData.map(it -> addressing.movedAxis(it.axis()) < 0).orElse(true);
    if (!isRowwise && !isSafe) {
      throw CountedAxes.joins();
    }
    Value scattered =
        isRowwise ? rowwise(data, indices, updates) : scattered(addressing, data, indices, updates);
    ofData.ifPresent(it -> c.counted(scattered, it.axis(), it.count()));
    return scattered;
  }

  /* What is filler goes where filler is. */
  private Value rowwise(Value data, Value indices, Value updates) {
    Value legal =
        new CountedIndices(c, selection, data).filled(indices, indices, zero(indices.type()));
    return c.emit(new Op.Scatter(selection, kind), c.whole(data), c.whole(legal), c.whole(updates));
  }

  private static Expr zero(TensorType type) {
    return Exprs.const_(type.element(), 0L);
  }

  private Value scattered(Addressing addressing, Value data, Value indices, Value updates) {
    CountedIndices counted = new CountedIndices(c, selection, data);
    Value within = counted.within(indices);
    if (!c.facts().isCounted(indices)) {
      return c.emit(new Op.Scatter(selection, kind), c.whole(data), within, updates);
    }
    int axis = addressing.dataAxis(0);
    Affine extent = data.type().dim(axis);
    ElementType type = indices.type().element();
    Expr behind = Ex.as(ElementType.I64, type, Ex.size(extent));
    Expr filler =
        selection instanceof Selection.Tuples
            ? ofFirst(indices, behind, zero(indices.type()))
            : behind;
    Value legal = counted.filled(indices, fromStart(within, behind), filler);
    Value longer = c.concat(axis, List.of(c.whole(data), another(data, axis)));
    Value all = c.emit(new Op.Scatter(selection, kind), longer, c.whole(legal), c.whole(updates));
    return c.slice(all, axis, Affine.ZERO, extent);
  }

  /* A place more along an axis. */
  private Value another(Value data, int axis) {
    List<Affine> shape = new ArrayList<>(data.type().shape());
    shape.set(axis, Affine.ONE);
    return c.fill(Exprs.const_(data.type().element(), 0.0), shape);
  }

  /* The place behind counts from no end; that of the first component alone is longer. A bad index
  stays bad on the longer axis. */
  private Value fromStart(Value indices, Expr extent) {
    ElementType type = indices.type().element();
    Expr i = Exprs.arg(0);
    Expr isNegative = Exprs.lt(i, Exprs.const_(type, 0L));
    Expr beyond = Exprs.add(i, Exprs.const_(type, 1L));
    Expr place =
        Exprs.select(
            isNegative, Exprs.add(i, extent), Exprs.select(Exprs.ge(i, extent), beyond, i));
    Expr bad =
        Exprs.select(Exprs.lt(i, Exprs.neg(extent)), Exprs.sub(i, Exprs.const_(type, 1L)), place);
    Expr moved = selection instanceof Selection.Tuples ? ofFirst(indices, bad, i) : bad;
    return c.compute(moved, indices.type().shape(), indices);
  }

  private static Expr ofFirst(Value indices, Expr component, Expr others) {
    Expr number = Exprs.index(indices.type().rank() - 1);
    return Exprs.select(Exprs.eq(number, Exprs.const_(0)), component, others);
  }
}
