package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatProgram;
import io.miniinference.interp.expr.FloatRunner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.Epilogue;
import io.miniinference.interp.plain.Epilogue.Emitter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Takes stretches of an operator's `F32` result and stores them, through the epilogue.
interface RowSink {

  /// Takes elements `first` to `first + count − 1`, in row-major order, of the result.
  void put(long first, float[] values, int count);

  /// What a node's fast form stores through.
  final class Factory {
    private final Epilogue epilogue;
    private final Optional<FloatProgram> program;

    public Factory(Node node) {
      this.epilogue = Epilogue.of(node, ElementType.F32);
      Expr expr = node.epilogue() == null ? new Expr.Arg(0) : node.epilogue();
      List<ElementType> types = new ArrayList<>(List.of(ElementType.F32));
      node.epilogueValues().forEach(v -> types.add(v.type().element()));
      this.program = FloatProgram.of(expr, types);
    }

    public RowSink bind(Task task) {
      List<TensorView> views = new ArrayList<>(List.of(task.output()));
      views.addAll(task.extras());
      Optional<FloatRunner> runner = program.flatMap(p -> FloatRunner.of(p, views, task.output()));
      if (runner.isPresent()) {
        FloatRunner fast = runner.get();
        return (first, values, count) -> fast.run(first, count, values);
      }
      Emitter emitter = epilogue.bind(task);
      return (first, values, count) -> put(emitter, first, values, count);
    }

    private static void put(Emitter emitter, long first, float[] values, int count) {
      emitter.cursor.moveTo(first);
      for (int i = 0; i < count; i++) {
        emitter.emit(values[i]);
        emitter.cursor.next();
      }
    }
  }
}
