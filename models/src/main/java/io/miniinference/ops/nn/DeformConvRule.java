package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.floor;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/// A convolution whose window has its taps moved, for each element of the result, by offsets of the
/// request ([DeformConv](https://onnx.ai/onnx/operators/onnx__DeformConv.html)).
///
/// One elementwise step adds the offsets to the places of the taps; one more reads the image there,
/// between its elements, and what is outside of it as zeros. A 1×1 convolution over what was read
/// is the rest.
public final class DeformConvRule {
  private final OpContext c;
  private final Window window;
  private final ElementType type;
  private final int rank;
  private final long taps;
  private final long groups;
  private final List<Affine> results;

  private DeformConvRule(OpContext c) {
    this.c = c;
    type = c.element(0);
    window = new WindowAttributes(c).forward(ConvOps.kernel(c.type(1)), false);
    rank = window.rank();
    taps = window.kernel().stream().mapToLong(k -> k).reduce(1, (a, b) -> a * b);
    groups = c.attrInt("offset_group");
    c.requireRank(2, rank + 2, rank + 2);
    results = c.type(2).shape().subList(2, rank + 2);
    checkShapes();
  }

  public static void addTo(OpTable table) {
    String attributes = WindowAttributes.NAMES + " group=1 offset_group=1";
    table.row("DeformConv", 19, "3-5", attributes, c -> new DeformConvRule(c).lower());
  }

  private void checkShapes() {
    Affine channels = c.type(0).dim(1);
    if (groups < 1 || !channels.isConstant() || channels.constant() % groups != 0) {
      throw LoweringFault.of("has %d groups of offsets for %s".formatted(groups, c.type(0)));
    }
    checkPerTap(2, rank);
    if (c.has(4)) {
      checkPerTap(4, 1);
    }
    Op plain = new Op.Conv(window, Math.toIntExact(c.attrInt("group")));
    List<Affine> expected = OpType.of(plain, List.of(c.type(0), c.type(1))).shape();
    if (!expected.subList(2, rank + 2).equals(results)) {
      throw LoweringFault.of("has offsets %s for a result of %s".formatted(c.type(2), expected));
    }
  }

  /* An input that has so many numbers for each tap of each group at each place of the result. */
  private void checkPerTap(int input, long each) {
    List<Affine> expected = new ArrayList<>(results);
    expected.addFirst(Affine.of(groups * taps * each));
    expected.addFirst(c.type(0).dim(0));
    if (!c.type(input).shape().equals(expected)) {
      throw LoweringFault.of("takes input %d %s, not %s".formatted(input, expected, c.type(input)));
    }
  }

  private Value lower() {
    List<Affine> shape = new ArrayList<>(results);
    shape.addFirst(c.type(0).dim(1).times(taps));
    shape.addFirst(c.type(0).dim(0));
    Value columns =
        c.has(4)
            ? c.compute(mul(sum(0, List.of()), mask()), shape, c.in(0), places(), c.in(4))
            : c.compute(sum(0, List.of()), shape, c.in(0), places());
    List<Affine> weights = new ArrayList<>(Collections.nCopies(rank + 2, Affine.ONE));
    weights.set(0, c.type(1).dim(0));
    weights.set(1, c.type(1).dim(1).times(taps));
    List<Integer> ones = Collections.nCopies(rank, 1);
    List<Integer> zeros = Collections.nCopies(rank, 0);
    var point = new Window(ones, ones, ones, zeros, zeros);
    var conv = new Op.Conv(point, Math.toIntExact(c.attrInt("group")));
    return ConvOps.biased(c, 3, c.emit(conv, columns, c.reshape(c.in(1), weights)));
  }

  // Places of the taps.

  /* As many as there are offsets, and in their order: by group, tap and axis. */
  private Value places() {
    Expr axis = mod(index(1), const_(rank));
    Expr tap = mod(div(index(1), const_(rank)), const_(taps));
    Expr place = place(rank - 1, tap);
    for (int i = rank - 2; i >= 0; i--) {
      place = select(Ex.within(axis, const_(i), const_(i + 1L)), place(i, tap), place);
    }
    return c.compute(add(cast(type, place), at(0, Ex.here(rank + 2))), c.type(2).shape(), c.in(2));
  }

  /* Where a tap lies on an axis if nothing moves it. */
  private Expr place(int axis, Expr tap) {
    long inner = 1;
    for (int i = axis + 1; i < rank; i++) {
      inner *= window.kernel().get(i);
    }
    Expr step = mod(div(tap, const_(inner)), const_(window.kernel().get(axis)));
    Expr first = sub(strided(axis), const_(window.padsBegin().get(axis)));
    return add(first, mul(step, const_(window.dilations().get(axis))));
  }

  private Expr strided(int axis) {
    return mul(index(2 + axis), const_(window.strides().get(axis)));
  }

  // What is read there.

  /* Which of all groups' taps an element of the columns has: its channels are parted by taps. */
  private Expr tapOfGroup() {
    long perGroup = c.type(0).dim(1).constant() / groups * taps;
    Expr group = div(index(1), const_(perGroup));
    return add(mul(group, const_(taps)), mod(index(1), const_(taps)));
  }

  private Expr read(int input, Expr channel) {
    List<Expr> coordinates = Ex.here(rank + 2);
    coordinates.set(1, channel);
    return at(input, coordinates);
  }

  private Expr mask() {
    return read(2, tapOfGroup());
  }

  private Expr moved(int axis) {
    return read(1, add(mul(tapOfGroup(), const_(rank)), const_(axis)));
  }

  private Expr sum(int axis, List<Expr> before) {
    if (axis == rank) {
      return element(before);
    }
    Expr base = floor(moved(axis));
    Expr behind = sub(moved(axis), base);
    Expr one = const_(type, 1.0);
    Expr near = sum(axis + 1, with(before, base));
    Expr far = sum(axis + 1, with(before, add(base, one)));
    return add(mul(sub(one, behind), near), mul(behind, far));
  }

  private static List<Expr> with(List<Expr> before, Expr next) {
    List<Expr> all = new ArrayList<>(before);
    all.add(next);
    return all;
  }

  private Expr element(List<Expr> places) {
    List<Expr> coordinates = new ArrayList<>(List.of(index(0), div(index(1), const_(taps))));
    Expr inside = null;
    for (int axis = 0; axis < rank; axis++) {
      Expr extent = Ex.size(c.type(0).dim(2 + axis));
      Expr place = places.get(axis);
      Expr own = Ex.within(place, const_(type, 0.0), cast(type, extent));
      inside = inside == null ? own : and(inside, own);
      coordinates.add(bounded(place, extent));
    }
    Expr zero = const_(type, 0.0);
    return select(Objects.requireNonNull(inside), at(0, coordinates), zero);
  }

  /* A whole number of the axis, whatever `place` is: offsets may be no numbers. */
  private static Expr bounded(Expr place, Expr extent) {
    Expr whole = cast(ElementType.I64, place);
    return max(const_(0), min(whole, sub(extent, const_(1))));
  }
}
