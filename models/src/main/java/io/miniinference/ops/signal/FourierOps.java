package io.miniinference.ops.signal;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Discrete Fourier transforms, as products with a constant matrix: signals of networks have some
/// hundred points, and such a product is what a device does best. The last axis of a signal holds
/// the parts of its elements, one if they are real and two if they are complex.
public final class FourierOps {
  private static final String ATTRIBUTES = "inverse=0 onesided=0";

  private FourierOps() {}

  public static void addTo(OpTable table) {
    table
        .row("DFT", 17, "1-2", "axis=1 " + ATTRIBUTES, c -> dft(c, c.attrInt("axis")))
        .row("DFT", 20, "1-3", ATTRIBUTES, c -> dft(c, c.has(2) ? c.int1(2) : -2))
        .row("STFT", 17, "2-4", "onesided=1", FourierOps::stft);
  }

  /// [DFT](https://onnx.ai/onnx/operators/onnx__DFT.html) along one axis.
  private static Value dft(OpContext c, long named) {
    c.requireRank(0, 2);
    int axis = OpContext.axis(named, c.rank(0));
    if (axis == c.rank(0) - 1) {
      throw LoweringFault.of("transforms axis %d, that of the parts".formatted(axis));
    }
    FourierMatrix matrix = matrix(c, axis);
    Value signal = wide(c, c.in(0));
    Value kept = c.slice(signal, axis, Affine.ZERO, Affine.of(matrix.elements()));
    List<Integer> order = behind(c.rank(0), axis);
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    shape.remove(axis);
    shape.removeLast();
    shape.add(Affine.of(matrix.rows()));
    Value rows = c.reshape(c.transpose(kept, order), shape);
    Value product = product(c, rows, matrix);
    shape.removeLast();
    shape.add(Affine.of(matrix.results()));
    shape.add(Affine.of(matrix.resultParts()));
    Value ordered = c.transpose(c.reshape(product, shape), inverse(order));
    return c.cast(ordered, c.element(0));
  }

  private static FourierMatrix matrix(OpContext c, int axis) {
    boolean inverse = c.attrBool("inverse");
    boolean onesided = c.attrBool("onesided");
    int parts = parts(c);
    long given = constant(c.type(0).dim(axis), "transforms an axis of");
    boolean toReal = inverse && onesided;
    long length = c.has(1) ? c.int1(1) : toReal ? 2 * (given - 1) : given;
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw LoweringFault.of("transforms %d points".formatted(length));
    }
    if (onesided && parts != (inverse ? 2 : 1)) {
      throw LoweringFault.of(
          "is one-sided, which takes %s elements".formatted(inverse ? "complex" : "real"));
    }
    long half = length / 2 + 1;
    long elements = Math.min(given, toReal ? half : length);
    long results = onesided && !inverse ? half : length;
    return new FourierMatrix(length, elements, parts, results, toReal ? 1 : 2, inverse, toReal);
  }

  /// [STFT](https://onnx.ai/onnx/operators/onnx__STFT.html): frames of the signal, each times the
  /// window, are rows of one product. A real signal may lack the axis of the parts, as PyTorch's
  /// TorchScript exporter writes it and ONNX Runtime takes it.
  private static Value stft(OpContext c) {
    c.requireRank(0, 2, 3);
    int parts = c.rank(0) == 2 ? 1 : parts(c);
    long length = frameLength(c);
    long step = c.int1(1);
    long signal = constant(c.type(0).dim(1), "parts a signal of");
    if (step < 1 || length < 1 || length > signal) {
      throw LoweringFault.of(
          "takes frames of %d every %d elements of %d".formatted(length, step, signal));
    }
    boolean onesided = c.attrBool("onesided") && parts == 1;
    long results = onesided ? length / 2 + 1 : length;
    var matrix = new FourierMatrix(length, length, parts, results, 2, false, false);
    Affine frames = Affine.of((signal - length) / step + 1);
    Value rows = frames(c, List.of(c.type(0).dim(0), frames, Affine.of(length), Affine.of(parts)));
    Value flat = c.reshape(rows, List.of(c.type(0).dim(0), frames, Affine.of(matrix.rows())));
    List<Affine> shape = List.of(c.type(0).dim(0), frames, Affine.of(results), Affine.of(2));
    return c.cast(c.reshape(product(c, flat, matrix), shape), c.element(0));
  }

  private static long frameLength(OpContext c) {
    if (!c.has(3) && !c.has(2)) {
      throw LoweringFault.of("needs input 2, the window, or input 3, the length of frames");
    }
    long length = c.has(3) ? c.int1(3) : constant(c.type(2).elements(), "has a window of");
    if (c.has(2) && !c.type(2).shape().equals(List.of(Affine.of(length)))) {
      throw LoweringFault.of("has a window %s for frames of %d".formatted(c.type(2), length));
    }
    return length;
  }

  private static Value frames(OpContext c, List<Affine> shape) {
    Expr place = add(mul(index(1), const_(c.int1(1))), index(2));
    Expr element = at(0, index(0), place, index(3));
    Value given = wide(c, c.in(0));
    Value signal = c.rank(0) == 2 ? c.unsqueeze(given, 2, 1) : given;
    return c.has(2)
        ? c.compute(mul(element, at(1, index(2))), shape, signal, c.cast(c.in(2), type(c)))
        : c.compute(element, shape, signal);
  }

  private static Value product(OpContext c, Value rows, FourierMatrix matrix) {
    boolean single = rows.type().rank() == 1;
    Value left = single ? c.unsqueeze(rows, 0, 1) : rows;
    Value product = c.matMul(left, c.constant(matrix.tensor(c, type(c))), false, false);
    return single ? c.reshape(product, List.of(Affine.of(matrix.columns()))) : product;
  }

  /* The type that sums are in. */
  private static ElementType type(OpContext c) {
    return c.element(0) == ElementType.F64 ? ElementType.F64 : ElementType.F32;
  }

  private static Value wide(OpContext c, Value x) {
    return c.cast(x, type(c));
  }

  private static int parts(OpContext c) {
    Affine last = c.type(0).shape().getLast();
    if (!last.equals(Affine.ONE) && !last.equals(Affine.of(2))) {
      throw LoweringFault.of("takes a signal whose last axis has 1 or 2 parts, not " + c.type(0));
    }
    return (int) last.constant();
  }

  private static long constant(Affine size, String what) {
    if (!size.isConstant()) {
      throw LoweringFault.specialisable("%s %s; fix the batch".formatted(what, size));
    }
    return size.constant();
  }

  /* The axes of a rank with one of them moved to the last but one place. */
  private static List<Integer> behind(int rank, int axis) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, rank - 1).boxed().toList());
    order.remove(axis);
    order.add(axis);
    order.add(rank - 1);
    return order;
  }

  private static List<Integer> inverse(List<Integer> order) {
    return IntStream.range(0, order.size()).map(order::indexOf).boxed().toList();
  }
}
