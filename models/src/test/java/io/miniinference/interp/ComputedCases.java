package io.miniinference.interp;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.extent;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.unary;

import io.miniinference.interp.Cases.Case;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.type.ExprType;
import io.miniinference.layout.Affine;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Random expressions of several types that read operands at computed coordinates, in bounds by one
/// construction or another, and divide by what a choice keeps from being zero.
final class ComputedCases {
  private static final ElementType[] WHOLES = {
    ElementType.I64, ElementType.I32, ElementType.U8, ElementType.U64
  };
  private static final BinaryOp[] REAL_FUNCTIONS = {
    BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MIN, BinaryOp.MAX, BinaryOp.MOD
  };
  private static final BinaryOp[] WHOLE_FUNCTIONS = {
    BinaryOp.ADD,
    BinaryOp.SUB,
    BinaryOp.MUL,
    BinaryOp.MIN,
    BinaryOp.MAX,
    BinaryOp.BIT_XOR,
    BinaryOp.SHIFT_LEFT
  };
  private static final BinaryOp[] COMPARISONS = {
    BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE
  };
  private static final UnaryOp[] REAL_UNARY = {
    UnaryOp.NEG,
    UnaryOp.FLOOR,
    UnaryOp.CEIL,
    UnaryOp.ROUND,
    UnaryOp.EXP,
    UnaryOp.ERF,
    UnaryOp.SQRT,
    UnaryOp.SIGN
  };

  private final Random random;
  private List<Tensor> operands = List.of();
  private long[] shape = {};

  ComputedCases(Random random) {
    this.random = random;
  }

  /// An expression and the operands that it may read, some of them of the output's shape.
  Case next() {
    shape = sizes(random.nextInt(1, 5));
    operands =
        IntStream.range(0, 4)
            .mapToObj(k -> Tensors.random(random, anyType(), k < 2 ? broadcast() : sizes(k)))
            .toList();
    ElementType type = anyType();
    Expr expr = expression(type, 5);
    List<ElementType> types = operands.stream().map(Tensor::element).toList();
    List<Affine> dims = Arrays.stream(shape).mapToObj(Affine::of).toList();
    TensorType output = new TensorType(ExprType.of(expr, types), dims);
    return new Case(Tensors.node(new Op.Elementwise(expr, output), output, operands), operands);
  }

  private long[] sizes(int rank) {
    long[] most = {700, 40, 12, 6};
    return IntStream.range(0, rank)
        .mapToLong(_ -> random.nextLong(1, most[rank - 1] + 1))
        .toArray();
  }

  private long[] broadcast() {
    long[] sizes = shape.clone();
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = random.nextInt(4) == 0 ? 1 : sizes[axis];
    }
    return sizes;
  }

  private ElementType anyType() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> ElementType.F32;
      case 3 -> random.nextBoolean() ? ElementType.F16 : ElementType.BF16;
      case 4 -> ElementType.BOOL;
      default -> one(WHOLES);
    };
  }

  private <T> T one(T[] from) {
    return from[random.nextInt(from.length)];
  }

  private Expr expression(ElementType type, int depth) {
    if (depth == 0) {
      return leaf(type, 0);
    }
    return switch (random.nextInt(6)) {
      case 0 -> leaf(type, depth);
      case 1 -> chosen(type, depth - 1);
      case 2 -> cast(type, expression(anyType(), depth - 1));
      default -> function(type, depth - 1);
    };
  }

  private Expr leaf(ElementType type, int depth) {
    int k = random.nextInt(operands.size());
    if (operands.get(k).element() == type && (depth > 0 || k < 2)) {
      return k < 2 && random.nextBoolean() ? arg(k) : element(k, depth);
    }
    return switch (random.nextInt(3)) {
      case 0 -> const_(type, random.nextGaussian() * 4);
      case 1 -> cast(type, extent(Affine.of(3)));
      default -> cast(type, index(random.nextInt(shape.length)));
    };
  }

  private Expr function(ElementType type, int depth) {
    if (type == ElementType.BOOL) {
      ElementType of = anyType();
      return binary(one(COMPARISONS), expression(of, depth), expression(of, depth));
    }
    if (!type.isFloat()) {
      return random.nextInt(4) == 0
          ? quotient(type, depth)
          : binary(one(WHOLE_FUNCTIONS), expression(type, depth), expression(type, depth));
    }
    return random.nextInt(3) == 0
        ? unary(one(REAL_UNARY), expression(type, depth))
        : binary(one(REAL_FUNCTIONS), expression(type, depth), expression(type, depth));
  }

  private Expr chosen(ElementType type, int depth) {
    Expr condition = expression(ElementType.BOOL, depth);
    return select(condition, expression(type, depth), expression(type, depth));
  }

  /* By what may be zero, where it is not. */
  private Expr quotient(ElementType type, int depth) {
    Expr by = expression(type, depth);
    BinaryOp op = one(new BinaryOp[] {BinaryOp.DIV, BinaryOp.REM, BinaryOp.MOD});
    Expr zero = const_(type, 0);
    Expr quotient = binary(op, expression(type, depth), by);
    return select(binary(BinaryOp.EQ, by, zero), zero, quotient);
  }

  /* An operand at coordinates that are bounded, or that a choice keeps in bounds. */
  private Expr element(int k, int depth) {
    long[] extents = operands.get(k).shape();
    Expr[] coordinates = new Expr[extents.length];
    Expr inside = binary(BinaryOp.EQ, const_(0), const_(0));
    for (int i = 0; i < extents.length; i++) {
      Expr place = coordinate(depth);
      if (random.nextInt(3) > 0) {
        place = bounded(place, extents[i]);
      } else {
        inside = and(inside, within(place, extents[i]));
      }
      coordinates[i] = place;
    }
    Expr other = const_(operands.get(k).element(), 7);
    return select(inside, at(k, coordinates), other);
  }

  private Expr coordinate(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      return expression(ElementType.I64, depth - 1);
    }
    Expr index = index(random.nextInt(shape.length));
    return random.nextBoolean() ? index : sub(add(index, index), const_(random.nextInt(5)));
  }

  private Expr bounded(Expr place, long extent) {
    return random.nextBoolean()
        ? mod(place, const_(extent))
        : max(const_(0), min(place, const_(extent - 1)));
  }

  private static Expr within(Expr place, long extent) {
    return and(ge(place, const_(0)), lt(place, const_(extent)));
  }
}
