package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Code;
import io.miniinference.interp.expr.ExprCompiler;
import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import java.util.List;

/// The activation functions of a recurrent cell, compiled, and the type that they compute in.
record RecurrentFormulas(ElementType type, List<Code.RealFunction> functions) {

  static RecurrentFormulas of(Op.Recurrent op, ElementType type) {
    return new RecurrentFormulas(
        type,
        op.cell().functions().stream()
            .map(f -> ExprCompiler.overValue(f, List.of(type)).code().real())
            .toList());
  }

  /// What the functions are evaluated at; one for each thread.
  static Cursor cursor() {
    return new Cursor(1, new long[0], List.of(), new boolean[0]);
  }

  /// An activation function of a value, rounded before.
  double apply(int function, double x, Cursor cursor) {
    cursor.real = round(x);
    return functions.get(function).at(cursor);
  }

  double round(double x) {
    return Numbers.round(type, x);
  }
}
