package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// The grid of places at which GridSample reads an image or a volume that is turned, scaled and
/// moved, by a matrix for each row
/// ([AffineGrid](https://onnx.ai/onnx/operators/onnx__AffineGrid.html)).
public final class AffineGridRule {
  private final OpContext c;
  private final List<Affine> extents;
  private final boolean corners;

  private AffineGridRule(OpContext c) {
    this.c = c;
    corners = c.attrBool("align_corners");
    List<Affine> size = Sizes.dimensions(c.sizes(1));
    if (size.size() != 4 && size.size() != 5) {
      throw LoweringFault.of("makes a grid for an image of " + size);
    }
    extents = size.subList(2, size.size());
    checkMatrices(size.getFirst());
  }

  public static void addTo(OpTable table) {
    table.row("AffineGrid", 20, "2", "align_corners=0", c -> new AffineGridRule(c).lower());
  }

  private void checkMatrices(Affine rows) {
    int axes = extents.size();
    List<Affine> expected = List.of(rows, Affine.of(axes), Affine.of(axes + 1L));
    if (!c.type(0).shape().equals(expected)) {
      throw LoweringFault.of("takes matrices %s, not %s".formatted(expected, c.type(0)));
    }
  }

  private Value lower() {
    List<Affine> shape = new ArrayList<>(extents);
    shape.addFirst(c.type(0).dim(0));
    shape.add(Affine.of(extents.size()));
    return c.compute(place(), shape, c.in(0));
  }

  /* Along the axis that the last index names, the last axis of the image first. */
  private Expr place() {
    int axes = extents.size();
    Expr sum = matrix(axes);
    for (int axis = 0; axis < axes; axis++) {
      sum = add(mul(matrix(axes - 1 - axis), centred(axis)), sum);
    }
    return sum;
  }

  private Expr matrix(int column) {
    return at(0, index(0), index(extents.size() + 1), const_(column));
  }

  /* From −1 to 1: the centres of the outermost elements, or their outer edges. */
  private Expr centred(int axis) {
    ElementType type = c.element(0);
    Affine extent = extents.get(axis);
    if (corners && extent.equals(Affine.ONE)) {
      return const_(type, 0.0);
    }
    Expr here = cast(type, index(1 + axis));
    Expr two = const_(type, 2.0);
    Expr one = const_(type, 1.0);
    Expr whole = cast(type, Ex.size(corners ? extent.minus(Affine.ONE) : extent));
    Expr twice = corners ? mul(here, two) : add(mul(here, two), one);
    return sub(div(twice, whole), one);
  }
}
