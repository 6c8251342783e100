package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Chosen;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Elements that indices of the request choose.
public final class GatherOps {
  private GatherOps() {}

  public static void addTo(OpTable table) {
    table
        .joining()
        .row("Gather", 1, "2", "axis=0", c -> gather(c, new Selection.Slices(axis(c))))
        .row("GatherElements", 11, "2", "axis=0", c -> gather(c, new Selection.Elements(axis(c))))
        .row("GatherND", 11, "2", "", c -> gather(c, new Selection.Tuples(0)))
        .row("GatherND", 12, "2", "batch_dims=0", GatherOps::gatherTuples);
    table.row("OneHot", 9, "3", "axis=-1", GatherOps::oneHot);
  }

  private static int axis(OpContext c) {
    return c.attrAxis("axis", c.rank(0));
  }

  private static Value gatherTuples(OpContext c) {
    long batchDims = c.attrInt("batch_dims");
    if (batchDims < 0 || batchDims >= Math.min(c.rank(0), c.rank(1))) {
      throw LoweringFault.of(
          "has batch_dims = %d, which must be in [0, min(%d, %d)), the ranks of data and indices"
              .formatted(batchDims, c.rank(0), c.rank(1)));
    }
    return gather(c, new Selection.Tuples((int) batchDims));
  }

  private static Value gather(OpContext c, Selection selection) {
    Chosen chosen = c.facts().chosen();
    Optional<Value> ofData = chosen.mask(c.in(0));
    Optional<Chosen.Places> places = chosen.places(c.in(1));
    if (c.rank(0) == 1 && ofData.isPresent() && ofData.equals(places.map(Chosen.Places::mask))) {
      return places.get().amongAll();
    }
    Value gathered = c.emit(new Op.Gather(selection), c.in(0), c.in(1));
    boolean isOfAll = c.rank(0) == 1 && gathered.type().rank() == 1 && !isCounted(c, 0);
    chosen
        .mask(c.in(1))
        .filter(mask -> isOfAll && mask.type().shape().equals(c.type(0).shape()))
        .ifPresent(mask -> chosen.note(gathered, new Chosen.Elements(c.in(0), mask)));
    return gathered;
  }

  private static boolean isCounted(OpContext c, int i) {
    return c.facts().isCounted(c.in(i));
  }

  /// `values[1]` where the output's place on `axis` is the index, else `values[0]`. Indices from
  /// `-depth` on count from the end; others give no 1 at all.
  private static Value oneHot(OpContext c) {
    int axis = OpContext.axis(c.attrInt("axis"), c.rank(0) + 1);
    Affine depth = Sizes.dimension(Affine.of(depth(c)), axis, 0);
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    shape.add(axis, depth);
    Expr given = Ex.as(c.element(0), ElementType.I64, arg(0));
    Expr chosen = select(lt(given, const_(0)), add(given, Ex.size(depth)), given);
    Expr hot = select(eq(index(axis), chosen), at(1, const_(1)), at(1, const_(0)));
    return c.compute(hot, shape, c.unsqueeze(c.in(0), axis, 1), c.in(2));
  }

  private static long depth(OpContext c) {
    return c.element(1).isFloat() ? (long) c.real1(1) : c.int1(1);
  }
}
