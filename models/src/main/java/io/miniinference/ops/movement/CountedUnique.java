package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import java.util.List;

/// The different elements of a value in ascending order, of which only the device can tell how many
/// there are: those that differ from the one before them, once all are sorted.
///
/// NaN comes last and is equal to itself, zeros of either sign are equal, and of equal elements the
/// first one comes first, as a TopK has them.
final class CountedUnique {
  private final Emitter c;
  private final ElementType type;
  private final Affine all;
  private final Value sorted;
  private final Value places;

  /// @param x of two elements or more
  CountedUnique(Emitter c, Value x) {
    this.c = c;
    type = x.type().element();
    all = x.type().elements();
    boolean isBool = type == ElementType.BOOL;
    Value numbers = isBool ? c.cast(x, ElementType.U8) : x;
    List<Value> ordered =
        c.emitAll(new Op.TopK(0, all.constant(), false), c.reshape(numbers, List.of(all)));
    sorted = ordered.get(0);
    places = ordered.get(1);
  }

  /// What Unique answers: the elements, where each is first, which of them each element of the
  /// value is, and how often each comes.
  List<Value> lower() {
    Value isNew = c.compute(isNew(), List.of(all), sorted);
    Positions positions = new Positions(c);
    Value begins = positions.of(isNew);
    Value ends = positions.ends(c.cast(isNew, ElementType.I64));
    return List.of(
        c.cast(c.rows(sorted, begins), type),
        c.rows(places, begins),
        c.placed(c.map(sub(arg(0), const_(1)), ends), places),
        counts(begins));
  }

  private Expr isNew() {
    Expr one = at(0, index(0));
    Expr before = at(0, Exprs.max(sub(index(0), const_(1)), const_(0)));
    Expr same = eq(one, before);
    if (sorted.type().element().isFloat()) {
      same = Exprs.or(same, Exprs.and(Exprs.isNan(one), Exprs.isNan(before)));
    }
    return Exprs.or(eq(index(0), const_(0)), Exprs.not(same));
  }

  /* From where one begins to where the next one does. */
  private Value counts(Value begins) {
    Value count = c.facts().counted(begins).orElseThrow().count();
    Expr next = add(index(0), const_(1));
    Expr last = const_(all.constant() - 1);
    Expr end = select(lt(next, arg(1)), at(0, Exprs.min(next, last)), const_(all.constant()));
    Value lengths = c.compute(sub(end, at(0, index(0))), List.of(all), c.whole(begins), count);
    return c.counted(lengths, 0, count);
  }
}
