package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.Epilogue.Emitter;
import io.miniinference.ir.Op;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Attention: a work item is a row of the result, for which it weighs all keys. In double
/// precision.
record AttentionKernel(Op.Attention op, Epilogue epilogue) implements OpKernel {

  @Override
  public void run(Task task) {
    Emitter emitter = epilogue.bind(task);
    long[] shape = task.output().shape();
    Lines rows = new Lines(shape, List.of(shape.length - 1));
    Heads heads = Heads.of(task, op, shape);
    double[] weights = new double[heads.count()];
    double[] row = new double[Math.toIntExact(shape[shape.length - 1])];
    for (long item = task.first(); item < task.first() + task.count(); item++) {
      long[] index = rows.start(item);
      heads.weigh(index, op, weights);
      heads.sum(index, weights, row);
      for (double value : row) {
        emitter.cursor.moveTo(index);
        emitter.emit(value);
        rows.next(index);
      }
    }
  }

  /// The operands as the result's leading axes have them.
  ///
  /// @param keys `[…, D, S]`
  /// @param mask of the scores' shape
  private record Heads(
      TensorView queries, TensorView keys, TensorView values, @Nullable TensorView mask) {

    static Heads of(Task task, Op.Attention op, long[] shape) {
      TensorView values = PlainMatMul.lead(task.operand(2), shape);
      long[] scores = shape.clone();
      scores[shape.length - 1] = values.dim(shape.length - 2);
      boolean isMasked = task.operands().size() > Op.Attention.MASK;
      return new Heads(
          PlainMatMul.lead(task.operand(0), shape),
          PlainMatMul.lead(PlainMatMul.swap(task.operand(1), op.rowsOfKeys()), shape),
          values,
          isMasked ? broadcast(task.operand(Op.Attention.MASK), scores) : null);
    }

    private static TensorView broadcast(TensorView view, long[] shape) {
      return view.with(view.strides().broadcast(shape));
    }

    int count() {
      return Math.toIntExact(values.dim(values.rank() - 2));
    }

    /// What each key weighs for the row at `index`.
    void weigh(long[] index, Op.Attention op, double[] weights) {
      long query = start(queries, index);
      long key = start(keys, before(index, 2));
      for (int j = 0; j < weights.length; j++) {
        double product = product(query, key + keys.strides().along(keys.rank() - 1, j));
        weights[j] = op.scale() * product + (mask == null ? 0 : masked(mask, index, j));
      }
      boolean isBlind = Arrays.stream(weights).allMatch(w -> w == Double.NEGATIVE_INFINITY);
      LineKernel.softmax(weights);
      switch (op.blind()) {
        case NAN -> {}
        case ZERO_FOR_NAN -> Arrays.setAll(weights, j -> Double.isNaN(weights[j]) ? 0 : weights[j]);
        case ZERO -> Arrays.setAll(weights, j -> isBlind ? 0 : weights[j]);
      }
    }

    private static double masked(TensorView mask, long[] index, int j) {
      long at = start(mask, index);
      return mask.realAt(at + mask.strides().along(mask.rank() - 1, j));
    }

    private double product(long query, long key) {
      double sum = 0;
      for (long d = 0; d < queries.dim(queries.rank() - 1); d++) {
        sum +=
            queries.realAt(query + queries.strides().along(queries.rank() - 1, d))
                * keys.realAt(key + keys.strides().along(keys.rank() - 2, d));
      }
      return sum;
    }

    /// The values as they weigh, added up.
    void sum(long[] index, double[] weights, double[] row) {
      long value = start(values, before(index, 2));
      for (int e = 0; e < row.length; e++) {
        long column = value + values.strides().along(values.rank() - 1, e);
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
          sum += weights[j] * values.realAt(column + values.strides().along(values.rank() - 2, j));
        }
        row[e] = sum;
      }
    }

    private static long start(TensorView view, long[] index) {
      return view.strides().offset(before(index, 1));
    }

    /* The index with its last axes at 0. */
    private static long[] before(long[] index, int axes) {
      long[] first = index.clone();
      for (int i = 1; i <= axes; i++) {
        first[index.length - i] = 0;
      }
      return first;
    }
  }
}
