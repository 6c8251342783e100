package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Code;
import io.miniinference.interp.expr.ExprCompiler;
import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// An expression evaluated at each output index.
final class ElementwiseKernel implements OpKernel {
  private final Code code;
  private final boolean[] walked;
  private final int output;
  private final boolean batchRows;

  /// The output is bound to the cursor as one more operand, after those that the node reads.
  ElementwiseKernel(Node node, Expr expr) {
    List<ElementType> types =
        node.inputs().stream()
            .map(Value::type)
            .map(t -> t.element())
            .collect(Collectors.toCollection(ArrayList::new));
    output = types.size();
    types.add(node.output().type().element());
    var compiled = ExprCompiler.overOperands(expr, types);
    code = compiled.code();
    walked = compiled.walked();
    walked[output] = true;
    batchRows = FailureSink.hasBatchRows(node.output().type());
  }

  @Override
  public void run(Task task) {
    List<TensorView> views = new ArrayList<>(task.operands());
    views.add(task.output());
    Cursor cursor = new Cursor(task.n(), task.output().shape(), views, walked);
    cursor.moveTo(task.first());
    switch (code) {
      case Code.Real r -> reals(r.at(), cursor, task);
      case Code.Whole w -> wholes(w.at(), cursor, task);
    }
  }

  private void reals(Code.RealFunction f, Cursor cursor, Task task) {
    TensorView target = task.output();
    for (long i = task.count(); i > 0; i--) {
      target.realAt(cursor.offsets[output], f.at(cursor));
      step(cursor, task);
    }
  }

  private void wholes(Code.WholeFunction f, Cursor cursor, Task task) {
    TensorView target = task.output();
    for (long i = task.count(); i > 0; i--) {
      target.wholeAt(cursor.offsets[output], f.at(cursor));
      step(cursor, task);
    }
  }

  private void step(Cursor cursor, Task task) {
    if (cursor.dividedByZero) {
      cursor.report(batchRows, task.failures());
    }
    cursor.next();
  }
}
