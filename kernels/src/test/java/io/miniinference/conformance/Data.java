package io.miniinference.conformance;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.Random;

/// What the elements of an input are.
enum Data {
  /// Standard normal floats; integers from −9 to 9 (from 0 in unsigned types).
  NORMAL,
  /// Like [#NORMAL] and never zero.
  NONZERO,
  /// Floats in (0, 4], integers from 1 to 9.
  POSITIVE,
  /// Floats in (−1, 1), integers from 0 to 3.
  UNIT,
  /// What a type has at its edges: NaN, infinities, zeros of both signs, smallest and largest.
  EDGES,
  /// Floats that are small whole numbers, so that there are ties and sums are exact.
  TIES;

  private static final double[] REALS = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    -7,
    100.25,
    -1000.75,
    1e-3,
    65504,
    -65504,
    127,
    128,
    255.5,
    -129,
    1e9,
    -3e9,
    1e19,
    -1e19,
    3e38,
    -3e38,
    1e-30
  };

  private static final long[] WHOLES = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    31,
    63,
    64,
    100,
    127,
    -127,
    -128,
    128,
    255,
    256,
    32767,
    -32768,
    65535,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xFFFFFFFFL,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  /// One request of a batch, as a batch of one.
  static Tensor row(Tensor batch, int row) {
    long[] shape = batch.shape().clone();
    shape[0] = 1;
    Tensor one = Interpreter.allocate(batch.element(), shape);
    long bytes = one.data().byteSize();
    one.data().copyFrom(batch.data().asSlice(row * bytes, bytes));
    return one;
  }

  /// A tensor of such elements.
  Tensor fill(Random random, ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    TensorView view = TensorView.of(tensor);
    for (int i = 0; i < tensor.elements(); i++) {
      if (type.isFloat()) {
        view.realAt(i, real(random, i));
      } else {
        view.wholeAt(i, wrapped(type, whole(random, i)));
      }
    }
    return tensor;
  }

  private double real(Random random, int i) {
    return switch (this) {
      case NORMAL -> random.nextGaussian();
      case NONZERO -> (random.nextBoolean() ? 1 : -1) * (0.25 + Math.abs(random.nextGaussian()));
      case POSITIVE -> 4 * (1 - random.nextDouble());
      case UNIT -> random.nextDouble() * 1.98 - 0.99;
      case EDGES -> i < REALS.length ? REALS[i] : REALS[random.nextInt(REALS.length)];
      case TIES -> random.nextInt(-2, 3);
    };
  }

  private long whole(Random random, int i) {
    return switch (this) {
      case NORMAL -> random.nextInt(-9, 10);
      case NONZERO, POSITIVE -> random.nextInt(1, 10);
      case UNIT -> random.nextInt(0, 4);
      case EDGES -> i < WHOLES.length ? WHOLES[i] : WHOLES[random.nextInt(WHOLES.length)];
      case TIES -> random.nextInt(0, 3);
    };
  }

  /// The value of an integer type, or `BOOL`, with these low bits.
  static long wrapped(ElementType type, long bits) {
    return switch (type) {
      case I8 -> (byte) bits;
      case U8 -> bits & 0xFF;
      case I16 -> (short) bits;
      case U16 -> bits & 0xFFFF;
      case I32 -> (int) bits;
      case U32 -> bits & 0xFFFFFFFFL;
      case BOOL -> bits & 1;
      default -> bits;
    };
  }
}
