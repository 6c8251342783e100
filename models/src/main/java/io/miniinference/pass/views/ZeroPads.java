package io.miniinference.pass.views;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.extent;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.lt;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The zeros that a node puts around a value, as the import of ONNX's Pad (mode `constant`) writes
/// them: each element is that of the value where its place lies within, else zero.
///
/// @param begin number of zeros ahead of the value, by axis
/// @param end number behind it
record ZeroPads(Value source, List<Long> begin, List<Long> end) {
  private static final int MOST = 1 << 20;

  /// The window over the value alone, with the zeros as its padding; empty if those are not of its
  /// spatial axes alone, or a window would have no element, which kernels do not have.
  Optional<Window> in(Window window) {
    List<Integer> before = new ArrayList<>();
    List<Integer> behind = new ArrayList<>();
    boolean isIn = begin.get(0) == 0 && end.get(0) == 0 && begin.get(1) == 0 && end.get(1) == 0;
    for (int axis = 0; axis < window.rank(); axis++) {
      long first = window.padsBegin().get(axis) + begin.get(axis + 2);
      long last = window.padsEnd().get(axis) + end.get(axis + 2);
      isIn &= Math.max(first, last) < window.span(axis);
      before.add((int) first);
      behind.add((int) last);
    }
    return isIn
        ? Optional.of(
            new Window(window.kernel(), window.strides(), window.dilations(), before, behind))
        : Optional.empty();
  }

  /// Of a node; empty if it does anything else.
  static Optional<ZeroPads> of(Node node) {
    return node.op() instanceof Op.Elementwise(Expr expr, _)
            && expr instanceof Expr.Select(Expr inside, Expr.At at, Expr.Const zero)
            && zero.bits() == 0
        ? of(node.inputs().get(at.index()), node.output(), at.coordinates(), inside)
        : Optional.empty();
  }

  private static Optional<ZeroPads> of(
      Value source, Value result, List<Expr> coordinates, Expr inside) {
    int rank = result.type().rank();
    if (source.type().rank() != rank) {
      return Optional.empty();
    }
    List<Long> begin = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    Set<Expr> tests = new HashSet<>();
    for (int axis = 0; axis < rank; axis++) {
      Expr place = coordinates.get(axis);
      Affine size = source.type().shape().get(axis);
      Optional<Long> before = before(place, axis);
      Affine more = result.type().shape().get(axis).minus(size);
      if (before.isEmpty() || !more.isConstant()) {
        return Optional.empty();
      }
      begin.add(before.get());
      end.add(more.constant() - before.get());
      if (before.get() != 0 || more.constant() != 0) {
        tests.add(ge(place, const_(0)));
        tests.add(lt(place, size.isConstant() ? const_(size.constant()) : extent(size)));
      }
    }
    boolean isPadded =
        begin.stream().allMatch(ZeroPads::isSmall) && end.stream().allMatch(ZeroPads::isSmall);
    return isPadded && tests.equals(tests(inside))
        ? Optional.of(new ZeroPads(source, List.copyOf(begin), List.copyOf(end)))
        : Optional.empty();
  }

  /* Less than none is a crop. */
  private static boolean isSmall(long pad) {
    return pad >= 0 && pad <= MOST;
  }

  private static Optional<Long> before(Expr place, int axis) {
    Expr here = new Expr.Index(axis);
    if (place.equals(here)) {
      return Optional.of(0L);
    }
    return place instanceof Expr.Binary(BinaryOp op, Expr left, Expr.Const before)
            && op == BinaryOp.SUB
            && left.equals(here)
        ? Optional.of(before.bits())
        : Optional.empty();
  }

  private static Set<Expr> tests(Expr inside) {
    Set<Expr> tests = new HashSet<>();
    if (inside instanceof Expr.Binary(BinaryOp op, Expr left, Expr right) && op == BinaryOp.AND) {
      tests.addAll(tests(left));
      tests.addAll(tests(right));
    } else {
      tests.add(inside);
    }
    return tests;
  }
}
