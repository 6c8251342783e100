package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Register;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.layout.Affine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns an expression into a [MixedProgram].
///
/// Both sides of a choice are computed for all elements. What may have no value (a read out of
/// bounds, a quotient by zero) is computed under a [Mask]: it fails only for elements that come to
/// it by the choices around it.
final class MixedCompiler {
  private final List<ElementType> types;
  private final MixedBuilder builder;
  private final MixedFunctions functions;
  private final MixedReads reads;

  MixedCompiler(List<ElementType> types, int rank) {
    this.types = types;
    this.builder = new MixedBuilder(types.size(), rank);
    this.functions = new MixedFunctions(builder);
    this.reads = new MixedReads(builder, functions);
  }

  MixedProgram program(Expr expr) {
    return builder.build(register(expr, null));
  }

  private Register register(Expr expr, @Nullable Mask mask) {
    return switch (expr) {
      case Expr.Arg(int k) -> builder.once(expr, () -> builder.argument(k, types.get(k)));
      case Expr.At(int k, List<Expr> coordinates) -> {
        List<Register> places = coordinates.stream().map(e -> register(e, mask)).toList();
        yield reads.read(k, types.get(k), places, mask);
      }
      case Expr.Const constant -> builder.once(constant, () -> constant(constant));
      case Expr.Index(int axis) -> builder.once(expr, () -> builder.index(axis));
      case Expr.Extent(Affine value) -> builder.number(value);
      case Expr.Unary(UnaryOp op, Expr operand) -> functions.unary(op, register(operand, mask));
      case Expr.Binary(BinaryOp op, Expr left, Expr right) ->
          functions.binary(op, register(left, mask), register(right, mask), mask);
      case Expr.Select(Expr condition, Expr then, Expr otherwise) -> {
        Register chosen = register(condition, mask);
        Register a = register(then, new Mask(mask, chosen, true));
        Register b = register(otherwise, new Mask(mask, chosen, false));
        yield functions.select(chosen, a, b);
      }
      case Expr.Cast(ElementType to, Expr operand) -> functions.cast(to, register(operand, mask));
    };
  }

  private Register constant(Expr.Const constant) {
    ElementType type = constant.type();
    return type.isFloat()
        ? builder.real((float) Numbers.narrow(type, constant.asDouble()), type)
        : builder.number(Affine.of(Numbers.wrap(type, constant.bits())), type);
  }
}
