package io.miniinference.pass.bytes;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Numbers that are bytes less a zero point, times a scale: what DequantizeLinear gives, or with no
/// scale an integer operand of QLinearConv and its kin.
///
/// @param bytes of type `U8` or `I8`
/// @param zeroPoint the array that holds it, if it is not known
/// @param constant the zero point otherwise; 0 where there is none
/// @param scale an array of one float, if there is a scale
record CentredBytes(Value bytes, Optional<Value> zeroPoint, long constant, Optional<Value> scale) {
  /// What a signed byte is less than the unsigned one that stands for it.
  static final int SHIFT = 128;

  /// What a node computes, if it is that.
  ///
  /// @param constants of the graph
  static Optional<CentredBytes> of(Node node, Map<Value, Tensor> constants) {
    return node.op() instanceof Op.Elementwise map
        ? scaled(node, map.expr()).map(bytes -> bytes.known(constants))
        : Optional.empty();
  }

  private static Optional<CentredBytes> scaled(Node node, Expr expr) {
    return expr instanceof Expr.Binary(var op, Expr left, Expr.Arg(int scale))
            && op == BinaryOp.MUL
            && isSingle(node.inputs().get(scale).type())
        ? centred(node, left).map(it -> it.times(node.inputs().get(scale)))
        : centred(node, expr);
  }

  private static boolean isSingle(TensorType type) {
    return type.element() == ElementType.F32 && type.elements().equals(Affine.ONE);
  }

  private CentredBytes times(Value factor) {
    return new CentredBytes(bytes, zeroPoint, constant, Optional.of(factor));
  }

  private static Optional<CentredBytes> centred(Node node, Expr expr) {
    return switch (expr) {
      case Expr.Binary(var op, Expr left, Expr right) when op == BinaryOp.SUB ->
          bytes(node, left).flatMap(it -> wide(node, right).map(zero -> of(it, Optional.of(zero))));
      default -> bytes(node, expr).map(it -> of(it, Optional.empty()));
    };
  }

  private static CentredBytes of(Value bytes, Optional<Value> zeroPoint) {
    return new CentredBytes(bytes, zeroPoint, 0, Optional.empty());
  }

  private static Optional<Value> bytes(Node node, Expr expr) {
    return wide(node, expr)
        .filter(value -> value.type().shape().equals(node.output().type().shape()));
  }

  /* The bytes that an expression makes numbers of the node's type. */
  private static Optional<Value> wide(Node node, Expr expr) {
    return expr instanceof Expr.Cast(ElementType to, Expr.Arg(int k))
            && to == node.output().type().element()
            && isByte(node.inputs().get(k).type())
        ? Optional.of(node.inputs().get(k))
        : Optional.empty();
  }

  private static boolean isByte(TensorType type) {
    return type.element() == ElementType.U8 || type.element() == ElementType.I8;
  }

  /* A zero point that is known is no array. */
  private CentredBytes known(Map<Value, Tensor> constants) {
    return zeroPoint
        .map(constants::get)
        .filter(point -> point.elements() == 1)
        .map(point -> ElementBits.read(point, 0).bits())
        .map(point -> new CentredBytes(bytes, Optional.empty(), point, scale))
        .orElse(this);
  }

  boolean isSigned() {
    return bytes.type().element() == ElementType.I8;
  }

  /// Whether the unsigned bytes stand for themselves.
  boolean isPlain() {
    return zeroPoint.isEmpty() && constant + shift() == 0;
  }

  private int shift() {
    return isSigned() ? SHIFT : 0;
  }

  /// Whether all that a product sums up has one zero point: that of the whole, or of a row of a
  /// matrix. Padding is zero, which must be that point then.
  boolean isAlike(Op product) {
    List<Affine> shape = zeroPoint.map(z -> z.type().shape()).orElse(List.of());
    return product instanceof Op.Conv conv
        ? isPlain() || (!isPadded(conv.window()) && shape.stream().allMatch(Affine.ONE::equals))
        : shape.isEmpty() || shape.getLast().equals(Affine.ONE);
  }

  private static boolean isPadded(Window window) {
    return Stream.of(window.padsBegin(), window.padsEnd())
        .flatMap(List::stream)
        .anyMatch(pad -> pad != 0);
  }

  /// What sums of known weights are times the zero point of the unsigned bytes, where that is
  /// known, too; else those sums.
  Tensor times(Tensor totals) {
    if (zeroPoint.isPresent()) {
      return totals;
    }
    int point = (int) constant + shift();
    MemorySegment data = Arena.ofAuto().allocate(totals.data().byteSize(), Integer.BYTES);
    for (long i = 0; i < totals.elements(); i++) {
      data.setAtIndex(JAVA_INT, i, point * totals.data().getAtIndex(JAVA_INT, i));
    }
    return new Tensor(totals.element(), totals.shape(), data);
  }

  /// The zero point of the unsigned bytes as an expression.
  ///
  /// @param operand the number of the array that holds it
  Expr point(int operand) {
    Expr point = cast(ElementType.I32, arg(operand));
    return shift() == 0 ? point : add(point, const_(ElementType.I32, (long) shift()));
  }
}
