package io.miniinference.ops.movement;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.index;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ScatterKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Updates of a tensor in places that indices of the request choose.
public final class ScatterOps {
  /* Of opset 18; PyTorch's exporter writes the extremes in 16, too, and ONNX Runtime takes them. */
  private static final String[] KINDS = {"none", "add", "mul", "max", "min"};

  private ScatterOps() {}

  public static void addTo(OpTable table) {
    table
        .joining()
        .row("Scatter", 9, "3", "axis=0", c -> elements(c, "none"))
        .row("ScatterElements", 11, "3", "axis=0", c -> elements(c, "none"))
        .row("ScatterElements", 16, "3", "axis=0 reduction=none", c -> elements(c, kind(c)))
        .row("ScatterND", 11, "3", "", c -> tuples(c, "none"))
        .row("ScatterND", 16, "3", "reduction=none", c -> tuples(c, kind(c)));
    table.row("TensorScatter", 24, "2-3", "axis=-2 mode=linear", ScatterOps::cache);
  }

  private static String kind(OpContext c) {
    return c.attrOneOf("reduction", KINDS);
  }

  private static Value elements(OpContext c, String reduction) {
    return scatter(c, new Selection.Elements(c.attrAxis("axis", c.rank(0))), reduction);
  }

  private static Value tuples(OpContext c, String reduction) {
    return scatter(c, new Selection.Tuples(0), reduction);
  }

  private static Value scatter(OpContext c, Selection selection, String reduction) {
    ScatterKind kind =
        switch (reduction) {
          case "add" -> ScatterKind.ADD;
          case "mul" -> ScatterKind.MUL;
          case "min" -> ScatterKind.MIN;
          case "max" -> ScatterKind.MAX;
          default -> ScatterKind.REPLACE;
        };
    Optional<Value> column = column(c, selection);
    return column.isPresent()
        ? new CountedScatter(c, new Selection.Tuples(0), kind).lower(c.in(0), column.get(), c.in(2))
        : new CountedScatter(c, selection, kind).lower(c.in(0), c.in(1), c.in(2));
  }

  /// Tuples of one number, where that is the same for all that lies at a place of axis 0: whole
  /// slices are moved then, as by `index.view(-1, 1, 1).expand(-1, h, w)` of PyTorch.
  private static Optional<Value> column(OpContext c, Selection selection) {
    List<Affine> shape = c.type(1).shape();
    boolean isWhole =
        selection.equals(new Selection.Elements(0))
            && shape.size() > 1
            && shape.size() == c.rank(0)
            && shape.subList(1, shape.size()).equals(c.type(0).shape().subList(1, shape.size()));
    if (!isWhole || c.facts().counted(c.in(1)).filter(it -> it.axis() != 0).isPresent()) {
      return Optional.empty();
    }
    return c.draft()
        .expanded(c.in(1))
        .filter(x -> x.type().rank() == shape.size() && x.type().dim(0).equals(shape.getFirst()))
        .filter(x -> x.type().shape().stream().skip(1).allMatch(Affine.ONE::equals))
        .map(x -> c.reshape(x, of -> List.of(of.getFirst(), Affine.ONE)));
  }

  /// Each row's update in its row of the cache (operand 0), along `axis` from the row's write index
  /// on: up to the end of the axis, or around it if `mode` is `circular`.
  private static Value cache(OpContext c) {
    c.requireRank(0, 2);
    int axis = c.attrAxis("axis", c.rank(0));
    if (axis == 0) {
      throw LoweringFault.of("has axis 0, which is the batch");
    }
    boolean circular = c.attrOneOf("mode", "linear", "circular").equals("circular");
    Affine size = c.type(0).dim(axis);
    Affine length = c.type(1).dim(axis);
    List<Affine> shape = new ArrayList<>(Collections.nCopies(c.rank(0), Affine.ONE));
    shape.set(0, c.type(0).dim(0));
    shape.set(axis, length);
    Value at;
    if (!c.has(2)) {
      at = c.compute(wrapped(index(axis), size, circular), shape);
    } else {
      Value first =
          circular
              ? c.unsqueeze(c.in(2), 1, c.rank(0) - 1)
              : checkedStarts(c, axis, size.minus(length));
      at = c.compute(wrapped(add(arg(0), index(axis)), size, circular), shape, first);
    }
    Value indices = c.expand(at, c.type(1).shape());
    Op op = new Op.Scatter(new Selection.Elements(axis), ScatterKind.REPLACE);
    return c.emit(op, c.in(0), indices, c.in(1));
  }

  private static Expr wrapped(Expr place, Affine size, boolean circular) {
    return circular ? Exprs.mod(place, Ex.size(size)) : place;
  }

  /// The write indices, each found to be in `[0, last]`: what a Gather finds where each element is
  /// its own place.
  private static Value checkedStarts(OpContext c, int axis, Affine last) {
    List<Affine> line = new ArrayList<>(Collections.nCopies(axis + 1, Affine.ONE));
    line.set(axis, Sizes.dimension(last.plus(Affine.ONE), axis));
    Value places = c.compute(index(axis), line);
    line.set(0, c.type(0).dim(0));
    Op check = new Op.Gather(new Selection.Elements(axis), new IndexBounds(false, null));
    Value starts = c.unsqueeze(c.in(2), 1, axis);
    Value checked = c.emit(check, c.expand(places, line), starts);
    return c.unsqueeze(checked, axis + 1, c.rank(0) - 1 - axis);
  }
}
