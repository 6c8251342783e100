package io.miniinference.interp.expr;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.UnaryOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An expression over floats and booleans as a sequence of loops over arrays ("registers"), one per
/// distinct subexpression. Booleans are 0 and 1. Registers 0 to `arguments − 1` are the operands.
public final class FloatProgram {
  private final List<ElementType> types;
  private final Map<Expr, Integer> registers = new HashMap<>();
  private final List<Loop> loops = new ArrayList<>();
  private final List<Constant> constants = new ArrayList<>();
  private final boolean[] read;
  private int count;
  private int result;

  private FloatProgram(List<ElementType> types) {
    this.types = types;
    this.count = types.size();
    this.read = new boolean[types.size()];
  }

  /// One step over the registers.
  private interface Loop {
    void run(float[][] registers, int count);
  }

  private record Constant(int register, float value) {}

  /// The program, if all that the expression touches is `F32` or `BOOL` at the output's index.
  public static Optional<FloatProgram> of(Expr expr, List<ElementType> types) {
    FloatProgram program = new FloatProgram(types);
    try {
      program.result = program.register(expr);
      return Optional.of(program);
    } catch (Unsuited _) {
      return Optional.empty();
    }
  }

  int arguments() {
    return types.size();
  }

  boolean reads(int argument) {
    return read[argument];
  }

  public int registers() {
    return count;
  }

  /// Sets the registers that never change.
  public void prepare(float[][] registers) {
    for (Constant constant : constants) {
      Arrays.fill(registers[constant.register], constant.value);
    }
  }

  /// Computes `count` elements.
  ///
  /// @return the register that holds the results
  public float[] run(float[][] registers, int count) {
    for (int i = 0; i < loops.size(); i++) {
      loops.get(i).run(registers, count);
    }
    return registers[result];
  }

  private int register(Expr expr) {
    Integer known = registers.get(expr);
    if (known != null) {
      return known;
    }
    int register = compile(expr);
    registers.put(expr, register);
    return register;
  }

  private int compile(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) -> argument(k);
      case Expr.Const constant -> constant(constant);
      case Expr.Unary(UnaryOp op, Expr operand) -> unary(op, register(operand));
      case Expr.Binary(BinaryOp op, Expr left, Expr right) ->
          binary(op, register(left), register(right));
      case Expr.Select(Expr condition, Expr then, Expr otherwise) ->
          select(register(condition), register(then), register(otherwise));
      case Expr.Cast(ElementType to, Expr operand) -> cast(to, operand);
      case Expr.At _, Expr.Index _, Expr.Extent _ -> throw new Unsuited();
    };
  }

  private int argument(int k) {
    Unsuited.require(types.get(k) == ElementType.F32 || types.get(k) == ElementType.BOOL);
    read[k] = true;
    return k;
  }

  private int constant(Expr.Const constant) {
    Unsuited.require(constant.type() == ElementType.F32 || constant.type() == ElementType.BOOL);
    int to = count++;
    constants.add(new Constant(to, (float) constant.asDouble()));
    return to;
  }

  private int unary(UnaryOp op, int a) {
    Unsuited.require(op != UnaryOp.BITS);
    int to = count++;
    loops.add((r, n) -> FloatLoops.unary(op, r[to], r[a], n));
    return to;
  }

  private int binary(BinaryOp op, int a, int b) {
    int to = count++;
    loops.add((r, n) -> FloatLoops.binary(op, r[to], r[a], r[b], n));
    return to;
  }

  private int select(int condition, int a, int b) {
    int to = count++;
    loops.add((r, n) -> FloatLoops.select(r[to], r[condition], r[a], r[b], n));
    return to;
  }

  private int cast(ElementType to, Expr operand) {
    int from = register(operand);
    if (to == ElementType.F32) {
      return from;
    }
    Unsuited.require(to == ElementType.BOOL);
    return binary(BinaryOp.NE, from, constant(Expr.Const.of(ElementType.F32, 0.0)));
  }
}
