package io.miniinference.interp.lanes;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// [FloatMath] over arrays, with the Vector API. The steps are written out, since a method that is
/// not inlined makes objects of vectors.
public final class VectorFunctions {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /* As many floats as a vector has doubles. */
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

  /* Doubles of the longest vectors there are. */
  private static final int EIGHT = 8;

  private VectorFunctions() {}

  /// The exponential function of the first `count` elements of `a`.
  ///
  /// @return how many of them, from the start on, were computed
  public static int exp(float[] to, float[] a, int count) {
    int end = FLOATS.loopBound(count);
    for (int i = 0; i < end; i += FLOATS.length()) {
      DoubleVector x = doubles(a, i).max(FloatMath.LEAST_EXPONENT).min(FloatMath.MOST_EXPONENT);
      store(expOf(x), to, i);
    }
    return end;
  }

  /// Each element of `line` becomes the exponential function of what it is more than `most`.
  ///
  /// @return how many of them, from the start on
  public static int expAbove(double[] line, double most) {
    int end = DOUBLES.loopBound(line.length);
    for (int i = 0; i < end; i += DOUBLES.length()) {
      DoubleVector x = DoubleVector.fromArray(DOUBLES, line, i).sub(most);
      expOf(x.max(FloatMath.LEAST_EXPONENT).min(FloatMath.MOST_EXPONENT)).intoArray(line, i);
    }
    return end;
  }

  /// Takes each element of `line` into one of eight extremes: element `i` into the one at `i mod
  /// 8`.
  ///
  /// @return how many of them, from the start on
  public static int max(double[] line, double[] eight) {
    int end = line.length & -EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      for (int lane = 0; lane < EIGHT; lane += DOUBLES.length()) {
        DoubleVector most = DoubleVector.fromArray(DOUBLES, eight, lane);
        most.max(DoubleVector.fromArray(DOUBLES, line, i + lane)).intoArray(eight, lane);
      }
    }
    return end;
  }

  /// Adds each element of `line` to one of eight sums, likewise.
  public static int add(double[] line, double[] eight) {
    int end = line.length & -EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      for (int lane = 0; lane < EIGHT; lane += DOUBLES.length()) {
        DoubleVector sum = DoubleVector.fromArray(DOUBLES, eight, lane);
        sum.add(DoubleVector.fromArray(DOUBLES, line, i + lane)).intoArray(eight, lane);
      }
    }
    return end;
  }

  /// Adds the square of what each element of `line` is more than `center`, likewise.
  public static int addSquares(double[] line, double center, double[] eight) {
    int end = line.length & -EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      for (int lane = 0; lane < EIGHT; lane += DOUBLES.length()) {
        DoubleVector sum = DoubleVector.fromArray(DOUBLES, eight, lane);
        DoubleVector x = DoubleVector.fromArray(DOUBLES, line, i + lane).sub(center);
        sum.add(x.mul(x)).intoArray(eight, lane);
      }
    }
    return end;
  }

  /// The error function of the first `count` elements of `a`, likewise.
  public static int erf(float[] to, float[] a, int count) {
    int end = FLOATS.loopBound(count);
    for (int i = 0; i < end; i += FLOATS.length()) {
      DoubleVector x = doubles(a, i);
      DoubleVector size = x.abs().min(FloatMath.MOST);
      DoubleVector tail = tail(size);
      DoubleVector result = tail.blend(tail.neg(), x.compare(VectorOperators.LT, 0));
      VectorMask<Double> small = size.compare(VectorOperators.LT, 1);
      store(result.blend(x.mul(small(x.mul(x))), small), to, i);
    }
    return end;
  }

  private static DoubleVector doubles(float[] a, int at) {
    FloatVector x = FloatVector.fromArray(FLOATS, a, at);
    return (DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0);
  }

  private static void store(DoubleVector x, float[] to, int at) {
    ((FloatVector) x.convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(to, at);
  }

  private static DoubleVector expOf(DoubleVector x) {
    DoubleVector twos =
        x.fma(
            DoubleVector.broadcast(DOUBLES, FloatMath.LOG2_E),
            DoubleVector.broadcast(DOUBLES, FloatMath.WHOLES));
    DoubleVector wholes = twos.sub(FloatMath.WHOLES);
    DoubleVector rest = wholes.fma(DoubleVector.broadcast(DOUBLES, -FloatMath.LN_2), x);
    DoubleVector sum = DoubleVector.broadcast(DOUBLES, FloatMath.EXP[10]);
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[9]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[8]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[7]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[6]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[5]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[4]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[3]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[2]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[1]));
    sum = sum.fma(rest, DoubleVector.broadcast(DOUBLES, FloatMath.EXP[0]));
    LongVector bits = twos.reinterpretAsLongs().add(FloatMath.BIAS);
    return sum.mul(bits.lanewise(VectorOperators.LSHL, FloatMath.MANTISSA).reinterpretAsDoubles());
  }

  private static DoubleVector small(DoubleVector square) {
    DoubleVector sum = DoubleVector.broadcast(DOUBLES, FloatMath.ERF[10]);
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[9]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[8]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[7]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[6]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[5]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[4]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[3]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[2]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[1]));
    sum = sum.fma(square, DoubleVector.broadcast(DOUBLES, FloatMath.ERF[0]));
    return sum;
  }

  private static DoubleVector tail(DoubleVector size) {
    DoubleVector x = size.sub(FloatMath.MIDDLE);
    DoubleVector sum = DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[12]);
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[11]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[10]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[9]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[8]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[7]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[6]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[5]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[4]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[3]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[2]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[1]));
    sum = sum.fma(x, DoubleVector.broadcast(DOUBLES, FloatMath.TAIL[0]));
    return DoubleVector.broadcast(DOUBLES, 1).sub(expOf(sum));
  }
}
