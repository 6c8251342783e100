package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Register;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.layout.Affine;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The functions of registers in a [MixedProgram].
final class MixedFunctions {
  private final MixedBuilder builder;

  MixedFunctions(MixedBuilder builder) {
    this.builder = builder;
  }

  private record Unary(UnaryOp op, Register a) {}

  private record Binary(BinaryOp op, Register a, Register b) {}

  private record Select(Register condition, Register a, Register b) {}

  private record Cast(ElementType to, Register a) {}

  Register zero() {
    return builder.number(Affine.ZERO);
  }

  Register unary(UnaryOp op, Register a) {
    return builder.once(
        new Unary(op, a),
        () ->
            switch (op) {
              case IS_NAN, IS_INF -> test(op, a);
              case BITS ->
                  builder.map(
                      a,
                      ElementType.I32,
                      (f, to, x, n) -> MixedLoops.bits(f.wholes()[to], f.floats()[x], n));
              case OF_BITS -> ofBits(a);
              default -> a.type().isFloat() ? real(op, a) : whole(op, a, a.type());
            });
  }

  private Register ofBits(Register a) {
    Unsuited.require(a.type() == ElementType.I32);
    return builder.map(
        a, ElementType.F32, (f, to, x, n) -> MixedLoops.ofBits(f.floats()[to], f.wholes()[x], n));
  }

  private Register test(UnaryOp op, Register a) {
    if (!a.type().isFloat()) {
      return whole(op, a, ElementType.BOOL);
    }
    return op == UnaryOp.IS_NAN
        ? builder.map(
            a,
            ElementType.BOOL,
            (f, to, x, n) -> MixedLoops.isNaN(f.wholes()[to], f.floats()[x], n))
        : builder.map(
            a,
            ElementType.BOOL,
            (f, to, x, n) -> MixedLoops.isInfinite(f.wholes()[to], f.floats()[x], n));
  }

  /* Floats of half the size have exponential and error functions of more steps. */
  private Register real(UnaryOp op, Register a) {
    boolean full = a.type() == ElementType.F32;
    return builder.map(
        a,
        a.type(),
        (f, to, x, n) -> {
          if (full) {
            FloatLoops.unary(op, f.floats()[to], f.floats()[x], n);
          } else {
            FloatLoops.apply(RealMath.unary(op), f.floats()[to], f.floats()[x], n);
          }
          return true;
        });
  }

  private Register whole(UnaryOp op, Register a, ElementType result) {
    LongUnaryOperator function = WholeMath.unary(op, a.type());
    return wrapped(
        builder.map(
            a,
            result,
            (f, to, x, n) -> WholeLoops.apply(function, f.wholes()[to], f.wholes()[x], n)));
  }

  /* In place. */
  private Register wrapped(Register register) {
    ElementType type = register.type();
    if (type.bytes() < Long.BYTES) {
      int at = register.number();
      builder.add(
          register.level(), (f, n) -> WholeLoops.wrap(type, f.wholes()[at], f.wholes()[at], n));
    }
    return register;
  }

  /// @param mask where a quotient has to have a value
  Register binary(BinaryOp op, Register a, Register b, @Nullable Mask mask) {
    Unsuited.require(a.type() == b.type());
    if (a.type().isFloat()) {
      return builder.once(new Binary(op, a, b), () -> real(op, a, b));
    }
    boolean divides = op == BinaryOp.DIV || op == BinaryOp.REM || op == BinaryOp.MOD;
    return divides
        ? builder.once(new Binary(op, a, b), mask, () -> quotient(op, a, b, mask))
        : whole(op, a, b);
  }

  private Register real(BinaryOp op, Register left, Register right) {
    int level = builder.join(left, right);
    int a = builder.at(left, level);
    int b = builder.at(right, level);
    Register result = builder.next(op.isComparison() ? ElementType.BOOL : left.type(), level);
    int to = result.number();
    if (op.isComparison()) {
      builder.add(
          level, (f, n) -> MixedLoops.compare(op, f.wholes()[to], f.floats()[a], f.floats()[b], n));
    } else {
      builder.add(
          level,
          (f, n) -> {
            FloatLoops.binary(op, f.floats()[to], f.floats()[a], f.floats()[b], n);
            return true;
          });
    }
    return result;
  }

  /// A function of integers or booleans that is no quotient.
  Register whole(BinaryOp op, Register left, Register right) {
    return builder.once(
        new Binary(op, left, right),
        () -> {
          int level = builder.join(left, right);
          int a = builder.at(left, level);
          int b = builder.at(right, level);
          Register result = builder.next(op.isComparison() ? ElementType.BOOL : left.type(), level);
          int to = result.number();
          LongBinaryOperator function = WholeMath.binary(op, left.type());
          boolean signed = left.type() != ElementType.U64;
          builder.add(
              level,
              (f, n) -> {
                long[][] w = f.wholes();
                return WholeLoops.binary(op, signed, function, w[to], w[a], w[b], n);
              });
          return op.isComparison() ? result : wrapped(result);
        });
  }

  private Register quotient(BinaryOp op, Register left, Register right, @Nullable Mask mask) {
    int operands = builder.join(left, right);
    int level = MixedProgram.join(operands, Mask.level(mask, builder.rank), builder.rank);
    int a = builder.at(left, level);
    int b = builder.at(right, level);
    int among = mask(mask, level);
    Register result = builder.next(left.type(), level);
    int to = result.number();
    LongBinaryOperator function = WholeMath.binary(op, left.type());
    builder.add(
        level,
        (f, n) -> {
          long[][] w = f.wholes();
          return MixedLoops.areDivisors(f.mask(among), w[b], n)
              && WholeLoops.apply(function, w[to], w[a], w[b], n);
        });
    return wrapped(result);
  }

  Register select(Register condition, Register then, Register otherwise) {
    Unsuited.require(then.type() == otherwise.type());
    return builder.once(
        new Select(condition, then, otherwise),
        () -> {
          int sides = builder.join(then, otherwise);
          int level = MixedProgram.join(condition.level(), sides, builder.rank);
          int c = builder.at(condition, level);
          int a = builder.at(then, level);
          int b = builder.at(otherwise, level);
          Register result = builder.next(then.type(), level);
          int to = result.number();
          if (then.type().isFloat()) {
            builder.add(
                level,
                (f, n) ->
                    MixedLoops.select(
                        f.floats()[to], f.wholes()[c], f.floats()[a], f.floats()[b], n));
          } else {
            builder.add(
                level,
                (f, n) ->
                    WholeLoops.select(
                        f.wholes()[to], f.wholes()[c], f.wholes()[a], f.wholes()[b], n));
          }
          return result;
        });
  }

  Register cast(ElementType to, Register a) {
    ElementType from = a.type();
    if (from == to) {
      return a;
    }
    if (from.isFloat() && to == ElementType.F32) {
      return new Register(a.number(), to, a.level());
    }
    return builder.once(new Cast(to, a), () -> from.isFloat() ? ofReal(to, a) : ofWhole(to, a));
  }

  private Register ofReal(ElementType to, Register a) {
    return to.isFloat()
        ? builder.map(a, to, (f, r, x, n) -> MixedLoops.narrow(to, f.floats()[r], f.floats()[x], n))
        : builder.map(
            a, to, (f, r, x, n) -> MixedLoops.toWhole(to, f.wholes()[r], f.floats()[x], n));
  }

  private Register ofWhole(ElementType to, Register a) {
    ElementType from = a.type();
    return to.isFloat()
        ? builder.map(
            a, to, (f, r, x, n) -> MixedLoops.toFloat(from, to, f.floats()[r], f.wholes()[x], n))
        : builder.map(a, to, (f, r, x, n) -> WholeLoops.wrap(to, f.wholes()[r], f.wholes()[x], n));
  }

  /// The number of the register that is not 0 where a mask is, or [MixedProgram#ABSENT].
  int mask(@Nullable Mask mask, int level) {
    return mask == null ? MixedProgram.ABSENT : builder.at(register(mask), level);
  }

  private Register register(Mask mask) {
    Register own = mask.holds() ? mask.condition() : unary(UnaryOp.NOT, mask.condition());
    return mask.around() == null ? own : whole(BinaryOp.AND, register(mask.around()), own);
  }
}
