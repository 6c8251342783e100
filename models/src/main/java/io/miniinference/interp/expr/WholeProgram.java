package io.miniinference.interp.expr;

import io.miniinference.interp.memory.Numbers;
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
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// An expression over integers and booleans as a sequence of loops over arrays of longs
/// ("registers"), one per distinct subexpression. Registers 0 to `arguments − 1` are the operands.
/// The result may be converted to floats at last.
public final class WholeProgram {
  /// Of an argument, or of the index along the only axis.
  private static final int ABSENT = -1;

  private final List<ElementType> types;
  private final Map<Expr, Register> registers = new HashMap<>();
  private final List<Loop> loops = new ArrayList<>();
  private final List<Constant> constants = new ArrayList<>();
  private final boolean[] read;
  private int index = ABSENT;
  private int count;
  private Register result = new Register(ABSENT, ElementType.I64);

  private WholeProgram(List<ElementType> types) {
    this.types = types;
    this.count = types.size();
    this.read = new boolean[types.size()];
  }

  /// Where the values of a subexpression are, wrapped to its type.
  private record Register(int number, ElementType type) {}

  /// One step over the registers, which says whether all of it has a value.
  private interface Loop {
    boolean run(long[][] registers, int count);
  }

  private record Constant(int register, long value) {}

  /// The program, if all that the expression touches is an integer or `BOOL` at the output's index,
  /// or that index itself.
  public static Optional<WholeProgram> of(Expr expr, List<ElementType> types) {
    WholeProgram program = new WholeProgram(types);
    boolean toFloat = expr instanceof Expr.Cast(ElementType to, Expr _) && to == ElementType.F32;
    Expr whole = toFloat ? ((Expr.Cast) expr).operand() : expr;
    try {
      program.result = program.register(whole);
      return Optional.of(program);
    } catch (Unsuited _) {
      return Optional.empty();
    }
  }

  boolean reads(int argument) {
    return read[argument];
  }

  /// Whether it asks for the index, which is one where the output has one axis.
  boolean readsIndex() {
    return index != ABSENT;
  }

  int registers() {
    return count;
  }

  /// The type of what [#run] gives.
  ElementType type() {
    return result.type;
  }

  /// Sets the registers that never change.
  void prepare(long[][] values) {
    for (Constant constant : constants) {
      Arrays.fill(values[constant.register], constant.value);
    }
  }

  /// Sets the index of the first element.
  void start(long[][] values, long first, int elements) {
    if (readsIndex()) {
      for (int i = 0; i < elements; i++) {
        values[index][i] = first + i;
      }
    }
  }

  /// Computes `elements` elements.
  ///
  /// @return whether each has a value, which a quotient by zero has not
  boolean run(long[][] values, int elements) {
    for (int i = 0; i < loops.size(); i++) {
      if (!loops.get(i).run(values, elements)) {
        return false;
      }
    }
    return true;
  }

  /// What was computed.
  long[] result(long[][] values) {
    return values[result.number];
  }

  private Register register(Expr expr) {
    Register known = registers.get(expr);
    if (known != null) {
      return known;
    }
    Register register = compile(expr);
    registers.put(expr, register);
    return register;
  }

  private Register compile(Expr expr) {
    return switch (expr) {
      case Expr.Arg(int k) -> argument(k);
      case Expr.Const constant -> constant(constant);
      case Expr.Index(int axis) -> index(axis);
      case Expr.Unary(UnaryOp op, Expr operand) -> unary(op, register(operand));
      case Expr.Binary(BinaryOp op, Expr left, Expr right) ->
          binary(op, register(left), register(right));
      case Expr.Select(Expr condition, Expr then, Expr otherwise) ->
          select(register(condition), register(then), register(otherwise));
      case Expr.Cast(ElementType to, Expr operand) -> cast(to, register(operand));
      case Expr.At _, Expr.Extent _ -> throw new Unsuited();
    };
  }

  private Register argument(int k) {
    Unsuited.require(!types.get(k).isFloat());
    read[k] = true;
    return new Register(k, types.get(k));
  }

  private Register constant(Expr.Const constant) {
    Unsuited.require(!constant.type().isFloat());
    Register to = next(constant.type());
    constants.add(new Constant(to.number, Numbers.wrap(constant.type(), constant.bits())));
    return to;
  }

  private Register index(int axis) {
    Unsuited.require(axis == 0);
    Register to = next(ElementType.I64);
    index = to.number;
    return to;
  }

  private Register next(ElementType type) {
    return new Register(count++, type);
  }

  private Register unary(UnaryOp op, Register a) {
    Unsuited.require(op != UnaryOp.BITS && op != UnaryOp.OF_BITS);
    boolean isTest = op == UnaryOp.IS_NAN || op == UnaryOp.IS_INF;
    Register to = next(isTest ? ElementType.BOOL : a.type);
    LongUnaryOperator f = WholeMath.unary(op, a.type);
    loops.add((r, n) -> WholeLoops.apply(f, r[to.number], r[a.number], n));
    wrap(to);
    return to;
  }

  private Register binary(BinaryOp op, Register a, Register b) {
    Unsuited.require(a.type == b.type);
    Register to = next(op.isComparison() ? ElementType.BOOL : a.type);
    LongBinaryOperator f = WholeMath.binary(op, a.type);
    boolean signed = a.type != ElementType.U64;
    loops.add(
        (r, n) -> WholeLoops.binary(op, signed, f, r[to.number], r[a.number], r[b.number], n));
    if (!op.isComparison()) {
      wrap(to);
    }
    return to;
  }

  private Register select(Register condition, Register a, Register b) {
    Unsuited.require(a.type == b.type);
    Register to = next(a.type);
    loops.add((r, n) ->
        WholeLoops.select(r[to.number], r[condition.number], r[a.number], r[b.number], n));
    return to;
  }

  private Register cast(ElementType to, Register a) {
    Unsuited.require(!to.isFloat());
    Register result = next(to);
    loops.add((r, n) -> WholeLoops.wrap(to, r[result.number], r[a.number], n));
    return result;
  }

  private void wrap(Register register) {
    ElementType type = register.type;
    if (type.bytes() < Long.BYTES) {
      int number = register.number;
      loops.add((r, n) -> WholeLoops.wrap(type, r[number], r[number], n));
    }
  }
}
