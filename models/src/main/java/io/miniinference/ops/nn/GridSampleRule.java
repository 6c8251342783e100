package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.floor;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// Elements of an image, or of a volume, at places that another tensor has
/// ([GridSample](https://onnx.ai/onnx/operators/onnx__GridSample.html)).
///
/// One elementwise step for each axis turns the grid's coordinates into places on it; one more
/// takes the neighbours of each place and weighs them. No index that is read there is outside the
/// image, whatever the grid holds.
public final class GridSampleRule {
  /// Places so far outside that no neighbour of them is inside all mean the same.
  private static final double FAR = 4;

  private static final double CUBIC = -0.75;

  private final OpContext c;
  private final List<Affine> extents;
  private final ElementType type;
  private final ElementType wide;
  private final boolean corners;
  private final String mode;
  private final String padding;

  private GridSampleRule(OpContext c) {
    this.c = c;
    c.requireRank(0, 3);
    extents = c.type(0).shape().subList(2, c.rank(0));
    type = c.element(0);
    wide = type == ElementType.F64 ? ElementType.F64 : ElementType.F32;
    corners = c.attrBool("align_corners");
    mode = c.attrOneOf("mode", "linear", "bilinear", "nearest", "cubic", "bicubic");
    padding = c.attrOneOf("padding_mode", "zeros", "border", "reflection");
    checkGrid();
  }

  public static void addTo(OpTable table) {
    String attributes = "align_corners=0 padding_mode=zeros mode=";
    table
        .row("GridSample", 16, "2", attributes + "bilinear", c -> new GridSampleRule(c).lower())
        .row("GridSample", 20, "2", attributes + "linear", c -> new GridSampleRule(c).lower());
  }

  private void checkGrid() {
    List<Affine> grid = c.type(1).shape();
    boolean fits =
        grid.size() == c.rank(0)
            && grid.getFirst().equals(c.type(0).dim(0))
            && grid.getLast().equals(Affine.of(extents.size()));
    if (!fits || !c.element(1).isFloat()) {
      throw LoweringFault.of("has a grid %s for %s".formatted(c.type(1), c.type(0)));
    }
    if (!mode.equals("nearest") && !type.isFloat()) {
      throw c.unsupported("attribute 'mode' = '%s' on %s".formatted(mode, type));
    }
  }

  private Value lower() {
    List<Value> operands = new ArrayList<>(List.of(c.in(0)));
    for (int axis = 0; axis < extents.size(); axis++) {
      operands.add(places(axis));
    }
    List<Affine> shape = new ArrayList<>(c.type(1).shape());
    shape.removeLast();
    shape.add(1, c.type(0).dim(1));
    return c.compute(Ex.as(read(), type, sum(0, List.of())), shape, operands.toArray(Value[]::new));
  }

  /* The type that weights are in, and products with them; none are made where one neighbour is taken. */
  private ElementType read() {
    return mode.equals("nearest") ? type : wide;
  }

  // Places.

  /* Where on an axis each element of the result is taken from; the grid has the last axis first. */
  private Value places(int axis) {
    List<Affine> shape = new ArrayList<>(c.type(1).shape());
    shape.removeLast();
    List<Expr> coordinates = Ex.here(shape.size());
    coordinates.add(const_(extents.size() - 1 - axis));
    Expr given = Ex.as(c.element(1), wide, at(0, coordinates));
    Expr place =
        padded(axis, mode.equals("nearest") ? round(place(axis, given)) : place(axis, given));
    Expr near = max(con(-FAR), min(place, add(last(axis), con(FAR))));
    return c.compute(near, shape, c.in(1));
  }

  private Expr con(double value) {
    return const_(wide, value);
  }

  private Expr last(int axis) {
    return sub(cast(wide, Ex.size(extents.get(axis))), con(1));
  }

  /* From [-1, 1]: of the centres of the outermost elements, or of their outer edges. */
  private Expr place(int axis, Expr given) {
    Expr half = mul(add(given, con(1)), con(0.5));
    return corners ? mul(half, last(axis)) : sub(mul(half, add(last(axis), con(1))), con(0.5));
  }

  private boolean isCubic() {
    return mode.endsWith("cubic");
  }

  private Expr padded(int axis, Expr place) {
    return switch (padding) {
      /* Of a cubic each neighbour for itself, as PyTorch and ONNX Runtime have it. */
      case "border" -> isCubic() ? place : min(max(place, con(0)), last(axis));
      case "reflection" -> reflected(axis, place);
      default -> place;
    };
  }

  /* Back and forth between the ends, until it is inside. */
  private Expr reflected(int axis, Expr place) {
    Expr low = con(corners ? 0 : -0.5);
    Expr high = corners ? last(axis) : add(last(axis), con(0.5));
    Expr range = max(sub(high, low), con(1));
    Expr above = bounced(sub(place, high), range, high, low, -1);
    Expr below = bounced(sub(low, place), range, low, high, 1);
    return select(lt(place, low), below, select(gt(place, high), above, place));
  }

  /* `distance` outside of `near`, whose inside is in direction `sign`. */
  private Expr bounced(Expr distance, Expr range, Expr near, Expr far, int sign) {
    Expr times = floor(div(distance, range));
    Expr rest = mul(con(sign), sub(distance, mul(times, range)));
    Expr half = mul(times, con(0.5));
    return select(eq(floor(half), half), add(near, rest), sub(far, rest));
  }

  // Neighbours.

  private Expr place(int axis) {
    List<Expr> coordinates = new ArrayList<>(List.of(index(0)));
    IntStream.range(0, extents.size()).forEach(i -> coordinates.add(index(2 + i)));
    return at(1 + axis, coordinates);
  }

  /* The weighted neighbours along an axis and those after it, at these neighbours of those before. */
  private Expr sum(int axis, List<Expr> before) {
    if (axis == extents.size()) {
      return element(before);
    }
    Expr base = floor(place(axis));
    List<Expr> weights = weights(sub(place(axis), base));
    int first = weights.size() == 4 ? -1 : 0;
    Expr sum = null;
    for (int i = 0; i < weights.size(); i++) {
      List<Expr> chosen = new ArrayList<>(before);
      chosen.add(add(base, con(first + i)));
      Expr rest = sum(axis + 1, chosen);
      Expr term = mode.equals("nearest") ? rest : mul(weights.get(i), rest);
      sum = sum == null ? term : add(sum, term);
    }
    return Objects.requireNonNull(sum);
  }

  /* Of the neighbours of a place that is `x` behind the one at or ahead of it. */
  private List<Expr> weights(Expr x) {
    return switch (mode) {
      case "nearest" -> List.of(con(1));
      case "linear", "bilinear" -> List.of(sub(con(1), x), x);
      default ->
          List.of(outer(add(x, con(1))), inner(x), inner(sub(con(1), x)), outer(sub(con(2), x)));
    };
  }

  /* Keys' kernel up to a distance of 1. */
  private Expr inner(Expr x) {
    Expr cubic = sub(mul(con(CUBIC + 2), x), con(CUBIC + 3));
    return add(mul(mul(cubic, x), x), con(1));
  }

  /* The same from 1 to 2. */
  private Expr outer(Expr x) {
    Expr quadratic = add(mul(sub(mul(con(CUBIC), x), con(5 * CUBIC)), x), con(8 * CUBIC));
    return sub(mul(quadratic, x), con(4 * CUBIC));
  }

  private Expr element(List<Expr> places) {
    List<Expr> coordinates = new ArrayList<>(List.of(index(0), index(1)));
    Expr inside = null;
    for (int axis = 0; axis < places.size(); axis++) {
      Expr place = places.get(axis);
      coordinates.add(bounded(axis, padding.equals("reflection") ? reflected(axis, place) : place));
      Expr own = Ex.within(place, con(0), add(last(axis), con(1)));
      inside = inside == null ? own : and(inside, own);
    }
    Expr element = Ex.as(type, read(), at(0, coordinates));
    return padding.equals("zeros")
        ? select(Objects.requireNonNull(inside), element, const_(read(), 0.0))
        : element;
  }

  /* A whole number of the axis, whatever `place` is: a grid may hold what is no number. */
  private Expr bounded(int axis, Expr place) {
    Expr whole = cast(ElementType.I64, place);
    return max(const_(0), min(whole, sub(Ex.size(extents.get(axis)), const_(1))));
  }
}
