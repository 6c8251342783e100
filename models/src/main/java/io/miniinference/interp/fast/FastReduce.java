package io.miniinference.interp.fast;

import io.miniinference.interp.expr.FloatProgram;
import io.miniinference.interp.memory.Runs;
import io.miniinference.interp.memory.Scratch;
import io.miniinference.interp.memory.Strides;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.OpKernel;
import io.miniinference.interp.plain.PartialSums;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.ExprType;
import java.util.List;
import java.util.Optional;

/// A reduction in `F32`: the reduced axes are read in stretches. Sums are [PartialSums], products
/// are kept in double precision.
final class FastReduce implements OpKernel {
  private final Op.Reduce op;
  private final FloatProgram map;
  private final RowSink.Factory sinks;
  private final OpKernel plain;

  private FastReduce(Op.Reduce op, FloatProgram map, Node node, OpKernel plain) {
    this.op = op;
    this.map = map;
    this.sinks = new RowSink.Factory(node);
    this.plain = plain;
  }

  static OpKernel of(Op.Reduce op, Node node, OpKernel plain) {
    if (op.kind().isArg() || ExprType.of(op.map(), List.of(ElementType.F32)) != ElementType.F32) {
      return plain;
    }
    return FloatProgram.of(op.map(), List.of(ElementType.F32))
        .filter(program -> program.registers() <= Scratch.DEPTH)
        .<OpKernel>map(program -> new FastReduce(op, program, node, plain))
        .orElse(plain);
  }

  @Override
  public void run(Task task) {
    TensorView x = task.operand(0);
    long[] reduced = x.shape();
    long[] kept = x.shape();
    for (int axis = 0; axis < reduced.length; axis++) {
      boolean isReduced = op.axes().contains(axis);
      reduced[axis] = isReduced ? reduced[axis] : 1;
      kept[axis] = isReduced ? 1 : kept[axis];
    }
    Optional<Runs> runs = Runs.of(reduced, List.of(x.strides().under(reduced)));
    if (runs.isEmpty() || x.strides().isBlocked()) {
      plain.run(task);
      return;
    }
    new Share(x, runs.get(), Tensor.elements(reduced), kept, sinks.bind(task)).run(task);
  }

  /// The state of one call.
  private final class Share {
    private final TensorView x;
    private final Runs runs;
    private final long count;
    private final long[] kept;
    private final RowSink sink;
    private final Scratch scratch = Scratch.get();
    private final float[][] registers;
    private final PartialSums sums = new PartialSums();

    Share(TensorView x, Runs runs, long count, long[] kept, RowSink sink) {
      this.x = x;
      this.runs = runs;
      this.count = count;
      this.kept = kept;
      this.sink = sink;
      this.registers = new float[map.registers()][];
    }

    void run(Task task) {
      System.arraycopy(scratch.panel, 0, registers, 0, registers.length);
      map.prepare(registers);
      float[] results = scratch.sums[0];
      for (long done = 0; done < task.count(); ) {
        int part = (int) Math.min(Scratch.COLUMNS, task.count() - done);
        for (int i = 0; i < part; i++) {
          results[i] = (float) reduce(task.first() + done + i);
        }
        sink.put(task.first() + done, results, part);
        done += part;
      }
    }

    private double reduce(long item) {
      long start = x.strides().offset(Strides.indexAt(item, kept)) - x.strides().base();
      double sum = neutral();
      sums.reset();
      for (long done = 0; done < count; ) {
        int part = (int) Math.min(Scratch.COLUMNS, Math.min(count - done, runs.moveTo(done)));
        x.floats(start + runs.offsets[0], runs.step(0), registers[0], 0, part);
        sum = combine(sum, map.run(registers, part), part);
        done += part;
      }
      return op.kind() == ReduceKind.SUM ? sums.total() : sum;
    }

    private double neutral() {
      return switch (op.kind()) {
        case SUM -> 0;
        case PRODUCT -> 1;
        case MAX -> Double.NEGATIVE_INFINITY;
        default -> Double.POSITIVE_INFINITY;
      };
    }

    private double combine(double sum, float[] values, int count) {
      return switch (op.kind()) {
        case SUM -> {
          sums.add(values, count);
          yield sum;
        }
        case PRODUCT -> {
          double product = sum;
          for (int i = 0; i < count; i++) {
            product *= values[i];
          }
          yield product;
        }
        case MAX -> {
          double max = sum;
          for (int i = 0; i < count; i++) {
            max = Math.max(max, values[i]);
          }
          yield max;
        }
        default -> {
          double min = sum;
          for (int i = 0; i < count; i++) {
            min = Math.min(min, values[i]);
          }
          yield min;
        }
      };
    }
  }
}
