package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Code;
import io.miniinference.interp.expr.ExprCompiler;
import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What happens to each element of an operator's result before it is stored.
public final class Epilogue {
  private final ElementType result;
  private final @Nullable Code code;
  private final boolean[] walked;
  private final boolean batchRows;

  private Epilogue(Node node, ElementType result, @Nullable Code code, boolean[] walked) {
    this.batchRows = FailureSink.hasBatchRows(node.output().type());
    this.result = result;
    this.code = code;
    this.walked = walked;
    this.walked[0] = true;
  }

  /// @param result the operator's result type
  public static Epilogue of(Node node, ElementType result) {
    if (node.epilogue() == null) {
      return new Epilogue(node, result, null, new boolean[1]);
    }
    List<ElementType> types = new ArrayList<>(List.of(result));
    node.epilogueValues().stream().map(Value::type).forEach(t -> types.add(t.element()));
    var compiled = ExprCompiler.overValue(node.epilogue(), types);
    return new Epilogue(node, result, compiled.code(), compiled.walked());
  }

  /// The element type before the epilogue.
  ElementType result() {
    return result;
  }

  public Emitter bind(Task task) {
    List<TensorView> views = new ArrayList<>(List.of(task.output()));
    views.addAll(task.extras());
    Cursor cursor = new Cursor(task.n(), task.output().shape(), views, walked);
    return new Emitter(cursor, task.failures());
  }

  /// Stores an operator's result at the index of a cursor.
  public final class Emitter {
    public final Cursor cursor;

    private final FailureSink failures;

    private Emitter(Cursor cursor, FailureSink failures) {
      this.cursor = cursor;
      this.failures = failures;
    }

    public void emit(double value) {
      cursor.real = Numbers.round(result, value);
      emit();
    }

    public void emit(long value) {
      cursor.whole = Numbers.wrap(result, value);
      emit();
    }

    /// Stores what the cursor carries.
    public void emit() {
      TensorView output = cursor.operand(0);
      long offset = cursor.offsets[0];
      switch (code) {
        case Code.Real r -> output.realAt(offset, r.at().at(cursor));
        case Code.Whole w -> output.wholeAt(offset, w.at().at(cursor));
        case null -> plain(output, offset);
      }
      if (cursor.dividedByZero) {
        cursor.report(batchRows, failures);
      }
    }

    private void plain(TensorView output, long offset) {
      if (result.isFloat()) {
        output.realAt(offset, cursor.real);
      } else {
        output.wholeAt(offset, cursor.whole);
      }
    }
  }
}
