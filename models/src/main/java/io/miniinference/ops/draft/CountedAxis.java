package io.miniinference.ops.draft;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Value;

/// An axis of a value of which only the device can tell how long it is. It is planned at its
/// largest; so many places of it as `count` says are the value, and those behind them are filler:
/// defined, and of no account to anyone.
///
/// The largest size is never 1, so that the axis is told from axes of 1 that are put in and left
/// out.
///
/// @param count `I64[]`; two axes are known to be of one length if it is the same value
public record CountedAxis(int axis, Value count) {

  /// A value with `filler` behind what is there: [Expr.Arg] 0 is the value, 1 the count.
  Expr filled(Expr filler) {
    Expr isThere = Exprs.lt(Exprs.index(axis), Exprs.arg(1));
    return Exprs.select(isThere, Exprs.arg(0), filler);
  }
}
