package io.miniinference.ops.draft;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Optional;

/// Indices where they, or what they are of, have a [CountedAxis]: those that are filler fail no
/// request, and those into a counted axis are held against what there is of it, not against what
/// there may be.
public final class CountedIndices {
  private final Emitter c;
  private final Selection selection;
  private final Value data;

  public CountedIndices(Emitter c, Selection selection, Value data) {
    this.c = c;
    this.selection = selection;
    this.data = data;
  }

  /// The axis of the data that is counted, if components of indices are places on it.
  static Optional<CountedAxis> addressed(
      Facts facts, Selection selection, Value data, Value indices) {
    return facts
        .counted(data)
        .filter(
            it -> Addressing.of(selection, data.type(), indices.type()).movedAxis(it.axis()) < 0);
  }

  /// Operands of a Gather; indices that are filler are 0.
  List<Value> of(Op.Gather gather, Value indices) {
    Expr zero = Exprs.const_(indices.type().element(), 0L);
    if (!gather.bounds().equals(IndexBounds.EITHER_END)) {
      if (addressed(c.facts(), selection, data, indices).isPresent()) {
        throw CountedAxes.joins();
      }
      return List.of(data, filled(indices, indices, zero));
    }
    return List.of(data, filled(indices, within(indices), zero));
  }

  /// Indices with `filler` where the axis of `indices` has some.
  ///
  /// @param checked these indices, or what was made of them
  public Value filled(Value indices, Value checked, Expr filler) {
    Optional<CountedAxis> counted = c.facts().counted(indices);
    if (counted.isEmpty()) {
      return checked;
    }
    Expr filled = counted.get().filled(filler);
    return c.compute(filled, indices.type().shape(), checked, counted.get().count());
  }

  /// Indices that count from the end of what there is, and are legal within that alone.
  public Value within(Value indices) {
    Optional<CountedAxis> axis = addressed(c.facts(), selection, data, indices);
    return axis.isEmpty() ? indices : within(indices, axis.get());
  }

  private Value within(Value indices, CountedAxis axis) {
    ElementType type = indices.type().element();
    Expr most = Ex.as(ElementType.I64, type, Ex.size(data.type().dim(axis.axis())));
    Expr count = Ex.as(ElementType.I64, type, Exprs.arg(1));
    Expr i = Exprs.arg(0);
    Expr zero = Exprs.const_(type, 0L);
    Expr fromEnd = Exprs.add(i, count);
    Expr behind = Exprs.select(Exprs.lt(fromEnd, zero), Exprs.sub(i, most), fromEnd);
    Expr ahead = Exprs.select(Exprs.ge(i, count), Exprs.add(i, most), i);
    Expr within = Exprs.select(Exprs.lt(i, zero), behind, ahead);
    int rank = indices.type().rank();
    if (selection instanceof Selection.Tuples) {
      int component = component(indices, axis.axis());
      Expr isIt = Exprs.eq(Exprs.index(rank - 1), Exprs.const_((long) component));
      within = Exprs.select(isIt, within, i);
    }
    return c.compute(within, indices.type().shape(), indices, axis.count());
  }

  private int component(Value indices, int dataAxis) {
    Addressing addressing = Addressing.of(selection, data.type(), indices.type());
    int component = 0;
    while (addressing.dataAxis(component) != dataAxis) {
      component++;
    }
    return component;
  }
}
