package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.ceil;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.floor;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.or;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;

/// How much each bin of a region takes of each element of an axis of the image, where a bin has as
/// many samples as the region says: one for each element or part of one that the bin is long.
///
/// A mean over samples that lie between elements is a sum over the elements, and what an element
/// gives to a bin is a product of what it gives along each axis, so that a region is two products
/// of matrices. Samples are at least half an element apart where there are several, so that few lie
/// within an element of one; these are added up. Those outside of the image by more than an element
/// give nothing, others outside are on its edge, as ONNX Runtime has it.
///
/// @param type of images and regions
/// @param from where the region begins, in elements
/// @param length of a bin, in elements
/// @param extent of the axis, in elements
record RoiShares(ElementType type, Expr from, Expr length, Expr extent) {
  /// Most samples within an element of one on either side, and one more for each end.
  private static final int NEAR = 6;

  /// By region, bin and element, which are the axes 0, 1 and 2.
  Expr share() {
    Expr bin = add(from, mul(cast(type, index(1)), length));
    Expr samples = max(ceil(length), con(0));
    Expr step = div(length, max(samples, con(1)));
    Expr first = add(bin, mul(con(0.5), step));
    Expr element = cast(type, index(2));
    Expr number = floor(div(sub(sub(element, con(1)), first), step));
    Expr start = max(con(0), min(number, sub(samples, con(1))));
    Expr sum = con(0);
    for (int k = 0; k < NEAR; k++) {
      Expr sample = add(start, con(k));
      Expr given = given(add(first, mul(sample, step)), element);
      sum = add(sum, select(ge(sample, samples), con(0), given));
    }
    return div(sum, max(samples, con(1)));
  }

  private Expr given(Expr place, Expr element) {
    Expr outside = or(lt(place, con(-1)), gt(place, extent));
    Expr bounded = max(con(0), min(place, sub(extent, con(1))));
    Expr near = max(con(0), sub(con(1), abs(sub(bounded, element))));
    return select(outside, con(0), near);
  }

  private Expr con(double value) {
    return const_(type, value);
  }
}
