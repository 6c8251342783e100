package io.miniinference.ops.draft;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Addressing.Source;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs a core node on sizes: elements that are integers or multiples of the batch symbol, as in
/// `Shape → Slice → Mul → Concat → Reshape`.
///
/// What has no such result (`N²`, an inexact quotient, a comparison that goes either way) is empty.
final class SizeInterpreter {
  private final List<TensorType> types;
  private final List<SymbolicTensor> operands;
  private final TensorType result;

  /// A value that is no size.
  private static final class Undecided extends RuntimeException {
    private static final long serialVersionUID = 1;

    Undecided() {
      super("undecided", null, false, false);
    }
  }

  SizeInterpreter(List<TensorType> types, List<SymbolicTensor> operands, TensorType result) {
    this.types = types;
    this.operands = operands;
    this.result = result;
  }

  Optional<SymbolicTensor> run(Op op) {
    try {
      return switch (op) {
        case Op.Elementwise e -> Optional.of(each(index -> eval(e.expr(), index)));
        case Op.View view -> Optional.of(view(view.map()));
        case Op.Concat concat -> Optional.of(each(index -> concat(concat.axis(), index)));
        case Op.Gather gather -> Optional.of(gather(gather));
        case Op.Reduce reduce -> Optional.of(reduce(reduce));
        case Op.Scatter _, Op.Regular _, Op.Control _ -> Optional.empty();
      };
    } catch (Undecided | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /// What a result element is, by its index.
  private interface Element {
    Affine at(long[] index);
  }

  private SymbolicTensor each(Element element) {
    long[] shape = result.shapeAt(0);
    var values = new ArrayList<Affine>();
    long[] index = new long[shape.length];
    long count = result.elements().constant();
    for (long i = 0; i < count; i++) {
      values.add(element.at(index));
      advance(index, shape);
    }
    return new SymbolicTensor(values);
  }

  private static void advance(long[] index, long[] shape) {
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      if (++index[axis] < shape[axis]) {
        return;
      }
      index[axis] = 0;
    }
  }

  private Affine element(int operand, long[] index) {
    long[] shape = types.get(operand).shapeAt(0);
    long position = 0;
    for (int axis = 0; axis < shape.length; axis++) {
      if (index[axis] < 0 || index[axis] >= shape[axis]) {
        throw new Undecided();
      }
      position = position * shape[axis] + index[axis];
    }
    return operands.get(operand).values().get((int) position);
  }

  private Affine broadcast(int operand, long[] index) {
    long[] shape = types.get(operand).shapeAt(0);
    long[] own = new long[shape.length];
    for (int axis = 0; axis < own.length; axis++) {
      own[axis] = shape[axis] == 1 ? 0 : index[index.length - own.length + axis];
    }
    return element(operand, own);
  }

  private SymbolicTensor view(Movement map) {
    return switch (map) {
      case Movement.Reshape _ -> operands.getFirst();
      case Movement.Expand _ -> each(index -> broadcast(0, index));
      case Movement.Transpose transpose ->
          each(index -> {
            long[] own = new long[index.length];
            for (int i = 0; i < own.length; i++) {
              own[transpose.permutation().get(i)] = index[i];
            }
            return element(0, own);
          });
      case Movement.Slice slice ->
          each(index -> {
            long[] own = new long[index.length];
            for (int i = 0; i < own.length; i++) {
              own[i] = constant(slice.starts().get(i)) + index[i] * slice.steps().get(i);
            }
            return element(0, own);
          });
    };
  }

  private Affine concat(int axis, long[] index) {
    long[] own = index.clone();
    int operand = 0;
    while (own[axis] >= types.get(operand).dim(axis).constant()) {
      own[axis] -= types.get(operand++).dim(axis).constant();
    }
    return element(operand, own);
  }

  private SymbolicTensor gather(Op.Gather gather) {
    if (!gather.bounds().equals(IndexBounds.EITHER_END)) {
      throw new Undecided();
    }
    TensorType data = types.getFirst();
    Addressing addressing = Addressing.of(gather.selection(), data, types.get(1));
    return each(index -> {
      long[] place = new long[data.rank()];
      for (int axis = 0; axis < place.length; axis++) {
        place[axis] =
            switch (addressing.sources().get(axis)) {
              case Source.Moved(int from) -> index[from];
              case Source.Component(int c) ->
                  fromEnd(component(addressing, c, index), data.dim(axis));
            };
      }
      return element(0, place);
    });
  }

  private long component(Addressing addressing, int number, long[] index) {
    int first = addressing.firstAxis();
    long[] tuple = Arrays.copyOfRange(index, first, first + types.get(1).rank());
    if (addressing.alongAxis()) {
      tuple[tuple.length - 1] = number;
    }
    return constant(element(1, tuple));
  }

  private static long fromEnd(long index, Affine size) {
    return index < 0 ? index + size.constant() : index;
  }

  private SymbolicTensor reduce(Op.Reduce reduce) {
    if (!reduce.map().equals(Ex.x())) {
      throw new Undecided();
    }
    TensorType x = types.getFirst();
    var values = new ArrayList<Affine>();
    for (long i = 0; i < result.elements().constant(); i++) {
      values.add(null);
    }
    long[] shape = x.shapeAt(0);
    long[] index = new long[shape.length];
    for (Affine value : operands.getFirst().values()) {
      int at = reducedPosition(reduce, index);
      values.set(at, combine(reduce.kind(), values.get(at), value));
      advance(index, shape);
    }
    if (values.contains(null)) {
      throw new Undecided();
    }
    return new SymbolicTensor(values);
  }

  private int reducedPosition(Op.Reduce reduce, long[] index) {
    long position = 0;
    for (int axis = 0; axis < index.length; axis++) {
      if (!reduce.axes().contains(axis)) {
        position = position * types.getFirst().dim(axis).constant() + index[axis];
      }
    }
    return (int) position;
  }

  private static Affine combine(Op.ReduceKind kind, @Nullable Affine sum, Affine value) {
    if (sum == null) {
      return value;
    }
    return switch (kind) {
      case SUM -> sum.plus(value);
      case PRODUCT -> sum.times(value);
      case MAX -> binary(Expr.BinaryOp.MAX, sum, value);
      case MIN -> binary(Expr.BinaryOp.MIN, sum, value);
      case ARG_MAX, ARG_MIN, ARG_MAX_LAST, ARG_MIN_LAST -> throw new Undecided();
    };
  }

  private Affine eval(Expr expr, long[] index) {
    return switch (expr) {
      case Expr.Arg arg -> broadcast(arg.index(), index);
      case Expr.At at ->
          element(
              at.index(),
              at.coordinates().stream().mapToLong(c -> constant(eval(c, index))).toArray());
      case Expr.Const c -> constant(c);
      case Expr.Index i -> Affine.of(index[i.axis()]);
      case Expr.Extent extent -> extent.value();
      case Expr.Unary unary -> unary(unary.op(), eval(unary.operand(), index));
      case Expr.Binary b -> binary(b.op(), eval(b.left(), index), eval(b.right(), index));
      case Expr.Select select ->
          constant(eval(select.condition(), index)) != 0
              ? eval(select.then(), index)
              : eval(select.otherwise(), index);
      case Expr.Cast cast -> cast(cast.to(), eval(cast.operand(), index));
    };
  }

  private static Affine constant(Expr.Const c) {
    if (c.type().isFloat()) {
      throw new Undecided();
    }
    return Affine.of(c.bits());
  }

  private static Affine cast(ElementType to, Affine value) {
    return switch (to) {
      case I64 -> value;
      case I32 -> value.isConstant() ? Affine.of((int) value.constant()) : value;
      case BOOL -> truth(constant(value) != 0);
      case F32, F64, F16, BF16, I8, I16, U8, U16, U32, U64 -> throw new Undecided();
    };
  }

  private static Affine unary(Expr.UnaryOp op, Affine x) {
    return switch (op) {
      case NEG -> x.times(-1);
      case ABS -> sign(x) < 0 ? x.times(-1) : x;
      case SIGN -> Affine.of(sign(x));
      case NOT -> truth(constant(x) == 0);
      case BITS, OF_BITS -> throw new Undecided();
      case BIT_NOT, SQRT, RECIPROCAL, EXP, EXPM1, LOG, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN ->
          throw new Undecided();
      case SINH, COSH, TANH, ASINH, ACOSH, ATANH, ERF, CEIL, FLOOR, ROUND, TRUNC, IS_NAN, IS_INF ->
          throw new Undecided();
    };
  }

  private static Affine binary(Expr.BinaryOp op, Affine a, Affine b) {
    return switch (op) {
      case ADD -> a.plus(b);
      case SUB -> a.minus(b);
      case MUL -> a.times(b);
      case DIV -> quotient(a, b);
      case REM -> remainder(a, b, false);
      case MOD -> remainder(a, b, true);
      case MIN -> sign(a.minus(b)) <= 0 ? a : b;
      case MAX -> sign(a.minus(b)) >= 0 ? a : b;
      case POW -> Affine.of(power(constant(a), constant(b)));
      case EQ -> truth(compare(a, b) == 0);
      case NE -> truth(compare(a, b) != 0);
      case LT -> truth(compare(a, b) < 0);
      case LE -> truth(compare(a, b) <= 0);
      case GT -> truth(compare(a, b) > 0);
      case GE -> truth(compare(a, b) >= 0);
      case AND -> truth(constant(a) != 0 && constant(b) != 0);
      case OR -> truth(constant(a) != 0 || constant(b) != 0);
      case XOR -> truth((constant(a) != 0) ^ (constant(b) != 0));
      case ATAN2, BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> throw new Undecided();
    };
  }

  private static long power(long base, long exponent) {
    long result = 1;
    for (long i = 0; i < exponent; i++) {
      result = Math.multiplyExact(result, base);
    }
    return exponent < 0 ? constant(Affine.N) : result;
  }

  private static Affine quotient(Affine a, Affine b) {
    if (a.isConstant() && b.isConstant() && b.constant() != 0) {
      return Affine.of(a.constant() / b.constant());
    }
    return Sizes.quotient(a, b).orElseThrow(Undecided::new);
  }

  private static Affine remainder(Affine a, Affine b, boolean floor) {
    if (b.isConstant() && b.constant() != 0) {
      if (a.isConstant()) {
        long value = a.constant();
        return Affine.of(floor ? Math.floorMod(value, b.constant()) : value % b.constant());
      }
      if (a.isMultipleOf(b.constant())) {
        return Affine.ZERO;
      }
    }
    throw new Undecided();
  }

  private static int compare(Affine a, Affine b) {
    return sign(a.minus(b));
  }

  private static int sign(Affine x) {
    return Sizes.sign(x).orElseThrow(Undecided::new);
  }

  private static long constant(Affine value) {
    if (!value.isConstant()) {
      throw new Undecided();
    }
    return value.constant();
  }

  private static Affine truth(boolean value) {
    return value ? Affine.ONE : Affine.ZERO;
  }
}
