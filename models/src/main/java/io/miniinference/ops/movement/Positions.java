package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Chosen;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Counts;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The places at which a mask is true, in row-major order: as many as only the device can tell, and
/// at most as many as the mask has elements.
///
/// All places are numbered, those of true elements first and in order, and a scatter brings each to
/// its number.
final class Positions {
  /// Elements that one thread adds up.
  private static final long LINE = 128;

  private final Emitter c;

  Positions(Emitter c) {
    this.c = c;
  }

  /// @param mask of any shape and type; what is not 0 is true
  /// @return `I64[elements]` with a counted axis; filler is 0
  Value of(Value mask) {
    Value whole = c.whole(mask, const_(mask.type().element(), 0.0));
    return c.facts().chosen().positions(mask, () -> made(mask, whole));
  }

  private Value made(Value mask, Value whole) {
    Optional<Chosen.Repeated> repeated = c.facts().chosen().repeated(mask);
    Affine own = repeated.map(it -> it.mask().type()).orElse(whole.type()).elements();
    Value taken = taken(own.equals(Affine.ONE) ? twice(whole) : whole);
    Value count =
        repeated
            .map(this::count)
            .orElseGet(() -> c.reduce(ReduceKind.SUM, List.of(0), false, Ex.x(), taken));
    return c.counted(numbered(taken, count), 0, count);
  }

  /* How many are true, where each element of a mask is several of another. */
  private Value count(Chosen.Repeated repeated) {
    Counts counts = c.facts().counts();
    Value count = counted(of(repeated.mask()));
    return counts.of(c, counts.linear(count).times(repeated.times()));
  }

  /* 1 for each element that is true. */
  private Value taken(Value mask) {
    ElementType type = mask.type().element();
    Expr isTrue =
        type == ElementType.BOOL ? arg(0) : Exprs.not(Exprs.eq(arg(0), const_(type, 0.0)));
    Value flat = c.reshape(mask, List.of(mask.type().elements()));
    return c.map(select(isTrue, const_(1), const_(0)), flat);
  }

  private Value numbered(Value taken, Value count) {
    Expr isTaken = Exprs.gt(arg(0), const_(0));
    Expr behind = add(arg(2), sub(index(0), arg(1)));
    Value number =
        c.map(select(isTaken, sub(arg(1), const_(1)), behind), taken, ends(taken), count);
    Value own = c.map(select(isTaken, index(0), const_(0)), taken);
    return c.placed(own, number);
  }

  /// Running sums: of lines beside each other first, since one long line is the work of one thread.
  ///
  /// @param taken `I64[elements]`
  Value ends(Value taken) {
    Affine all = taken.type().dim(0);
    if (!all.isConstant() || all.constant() <= LINE) {
      return c.emit(new Op.Scan(Op.ScanKind.SUM, 0, false, false), taken);
    }
    Affine lines = Affine.of(Math.ceilDiv(all.constant(), LINE));
    Affine line = Affine.of(LINE);
    Affine rest = lines.times(LINE).minus(all);
    Value filled =
        rest.isZero() ? taken : c.concat(0, List.of(taken, c.fill(const_(0), List.of(rest))));
    Value within =
        c.emit(
            new Op.Scan(Op.ScanKind.SUM, 1, false, false), c.reshape(filled, List.of(lines, line)));
    Value totals = c.reshape(c.slice(within, 1, Affine.of(LINE - 1), Affine.ONE), List.of(lines));
    Value before = c.sub(ends(totals), totals);
    Value sum = c.add(within, c.reshape(before, List.of(lines, Affine.ONE)));
    return c.slice(c.reshape(sum, List.of(lines.times(LINE))), 0, Affine.ZERO, all);
  }

  /* A counted axis is longer than 1 in its plan, as is the one that it is so many times as long as. */
  private Value twice(Value mask) {
    List<Affine> elements = List.of(mask.type().elements());
    Value none = c.fill(const_(mask.type().element(), 0.0), elements);
    return c.concat(0, List.of(c.reshape(mask, elements), none));
  }

  /// The rows of a value at which a mask is true.
  ///
  /// @param mask one element for each row that there may be, false behind those that are there
  Value taken(Value x, int axis, Value mask) {
    Value places = of(mask);
    return gathered(c.whole(x), axis, places, counted(places));
  }

  private Value counted(Value places) {
    return c.facts().counted(places).orElseThrow().count();
  }

  private Value gathered(Value all, int axis, Value places, Value count) {
    Op gather = new Op.Gather(new Selection.Slices(axis), IndexBounds.TRUSTED);
    return c.counted(c.emit(gather, all, c.whole(places)), axis, count);
  }

  /// Values one after the other along an axis that is counted in some of them.
  Value joined(int axis, List<Value> parts) {
    List<Object> key = new ArrayList<>(List.of("joined"));
    for (Value part : parts) {
      Optional<CountedAxis> counted = c.facts().counted(part);
      if (counted.filter(it -> it.axis() != axis).isPresent()) {
        throw CountedAxes.joins();
      }
      key.add(counted.<Object>map(CountedAxis::count).orElse(part.type().dim(axis)));
    }
    Value places = c.facts().counts().once(key, () -> of(isThere(axis, parts)));
    Value all = c.concat(axis, parts.stream().map(c::whole).toList());
    Value count = sum(axis, parts).map(it -> c.facts().counts().of(c, it)).orElse(counted(places));
    return gathered(all, axis, places, count);
  }

  /* How long parts are together, where that is linear in one count: what a file adds up to make
  another value of that length is the same number then. */
  private Optional<Counts.Linear> sum(int axis, List<Value> parts) {
    List<Counts.Linear> counts =
        parts.stream()
            .flatMap(part -> c.facts().counted(part).stream())
            .map(it -> c.facts().counts().linear(it.count()))
            .toList();
    List<Affine> others =
        parts.stream()
            .filter(part -> !c.facts().isCounted(part))
            .map(part -> part.type().dim(axis))
            .toList();
    if (counts.stream().map(Counts.Linear::base).distinct().count() != 1
        || !others.stream().allMatch(Affine::isConstant)) {
      return Optional.empty();
    }
    long factor = counts.stream().mapToLong(Counts.Linear::factor).sum();
    long offset = counts.stream().mapToLong(Counts.Linear::offset).sum();
    long fixed = others.stream().mapToLong(Affine::constant).sum();
    return Optional.of(new Counts.Linear(counts.getFirst().base(), factor, offset + fixed));
  }

  private Value isThere(int axis, List<Value> parts) {
    return c.concat(0, parts.stream().map(part -> isThere(axis, part)).toList());
  }

  private Value isThere(int axis, Value part) {
    List<Affine> shape = List.of(part.type().dim(axis));
    return c.facts()
        .counted(part)
        .map(it -> c.compute(lt(index(0), arg(0)), shape, it.count()))
        .orElseGet(() -> c.fill(Exprs.bool(true), shape));
  }
}
