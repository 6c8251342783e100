package io.miniinference.interp.plain;

import io.miniinference.interp.expr.Combiner;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.Epilogue.Emitter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScanKind;
import java.util.List;

/// An operator that computes a whole line, or several axes, of its result at once: Softmax,
/// Normalize and Scan. A work item is one index of the other axes. Floats in double precision.
public final class LineKernel implements OpKernel {
  private final List<Integer> axes;
  private final Epilogue epilogue;
  private final Rule rule;

  private LineKernel(List<Integer> axes, Epilogue epilogue, Rule rule) {
    this.axes = axes;
    this.epilogue = epilogue;
    this.rule = rule;
  }

  public List<Integer> axes() {
    return axes;
  }

  public Rule rule() {
    return rule;
  }

  /// What is done to the elements of a line, in place.
  public interface Rule {
    void apply(Line line);
  }

  /// The elements of a line; one of the two arrays is used.
  @SuppressWarnings("ArrayRecordComponent")
  public record Line(double[] reals, long[] wholes) {}

  static LineKernel softmax(Op.Softmax op, Epilogue epilogue) {
    Rule rule = op.log() ? l -> logSoftmax(l.reals) : l -> softmax(l.reals);
    return new LineKernel(List.of(op.axis()), epilogue, rule);
  }

  static LineKernel normalize(Op.Normalize op, Epilogue epilogue) {
    return new LineKernel(op.axes(), epilogue, l -> normalize(op, l.reals));
  }

  static LineKernel scan(Op.Scan op, Epilogue epilogue) {
    return new LineKernel(List.of(op.axis()), epilogue, l -> scan(op, epilogue.result(), l));
  }

  @Override
  public void run(Task task) {
    TensorView x = task.operand(0);
    Emitter emitter = epilogue.bind(task);
    Lines lines = new Lines(x.shape(), axes);
    boolean isFloat = x.element().isFloat();
    int length = Math.toIntExact(lines.length());
    Line line = new Line(new double[isFloat ? length : 0], new long[isFloat ? 0 : length]);
    for (long i = 0; i < task.count() && length > 0; i++) {
      load(x, lines, task.first() + i, line);
      rule.apply(line);
      store(emitter, lines, task.first() + i, line);
    }
  }

  private static void load(TensorView x, Lines lines, long item, Line line) {
    long[] index = lines.start(item);
    for (int k = 0; k < lines.length(); k++) {
      long offset = x.strides().offset(index);
      if (line.reals.length > 0) {
        line.reals[k] = x.realAt(offset);
      } else {
        line.wholes[k] = x.wholeAt(offset);
      }
      lines.next(index);
    }
  }

  private static void store(Emitter emitter, Lines lines, long item, Line line) {
    long[] index = lines.start(item);
    for (int k = 0; k < lines.length(); k++) {
      emitter.cursor.moveTo(index);
      if (line.reals.length > 0) {
        emitter.emit(line.reals[k]);
      } else {
        emitter.emit(line.wholes[k]);
      }
      lines.next(index);
    }
  }

  /* In place. */
  static void softmax(double[] line) {
    LineMath.exp(line, LineMath.max(line));
    double scale = 1 / LineMath.sum(line);
    for (int i = 0; i < line.length; i++) {
      line[i] *= scale;
    }
  }

  private static void logSoftmax(double[] line) {
    double max = LineMath.max(line);
    double[] powers = line.clone();
    LineMath.exp(powers, max);
    double log = Math.log(LineMath.sum(powers));
    for (int i = 0; i < line.length; i++) {
      line[i] = line[i] - max - log;
    }
  }

  private static void normalize(Op.Normalize op, double[] line) {
    double mean = op.centered() ? LineMath.sum(line) / line.length : 0;
    double scale = 1 / Math.sqrt(LineMath.squares(line, mean) / line.length + op.epsilon());
    for (int i = 0; i < line.length; i++) {
      line[i] = (line[i] - mean) * scale;
    }
  }

  private static void scan(Op.Scan op, ElementType type, Line line) {
    Combiner combiner =
        new Combiner(op.kind() == ScanKind.SUM ? ReduceKind.SUM : ReduceKind.PRODUCT, type);
    combiner.reset();
    int length = Math.max(line.reals.length, line.wholes.length);
    for (int i = 0; i < length; i++) {
      int at = op.reverse() ? length - 1 - i : i;
      if (type.isFloat()) {
        double before = combiner.real;
        combiner.add(line.reals[at], 0);
        line.reals[at] = op.exclusive() ? before : combiner.real;
      } else {
        long before = combiner.whole;
        combiner.add(line.wholes[at], 0);
        line.wholes[at] = op.exclusive() ? before : combiner.whole;
      }
    }
  }
}
