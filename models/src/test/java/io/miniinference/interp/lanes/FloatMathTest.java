package io.miniinference.interp.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.expr.RealMath;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Functions of floats beside those in double precision, and their form with the Vector API.
class FloatMathTest {
  private static final int COUNT = 100_000;

  /* One step of a float between 1 and 2. */
  private static final double STEP = 0x1p-23;

  private static final float[] EDGES = {
    0,
    -0f,
    1,
    -1,
    Math.nextDown(1f),
    4,
    -4,
    5,
    -5,
    88.7f,
    88.8f,
    -87.3f,
    -103.9f,
    -104,
    1000,
    -1000,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  @Test
  void theExponentialFunctionIsRounded() {
    agree(FloatMath::exp, Math::exp);
  }

  @Test
  void theErrorFunctionIsRounded() {
    agree(FloatMath::erf, RealMath::erf);
  }

  /* Half a step, and what the approximation may add to it. */
  private static void agree(DoubleUnaryOperator ours, DoubleUnaryOperator exact) {
    for (float x : floats()) {
      float result = (float) ours.applyAsDouble(x);
      double expected = exact.applyAsDouble(x);
      if (Float.isFinite((float) expected)) {
        assertThat((double) result)
            .as("%s", x)
            .isCloseTo(expected, within(0.501 * Math.abs(expected) * STEP + Float.MIN_VALUE));
      } else {
        assertThat(bits(result)).as("%s", x).isEqualTo(bits((float) expected));
      }
    }
  }

  private static Offset<Double> within(double most) {
    return Offset.offset(most);
  }

  @Test
  void vectorsHaveTheSameBits() {
    float[] x = floats();
    float[] exp = new float[x.length];
    float[] erf = new float[x.length];
    int ofExp = VectorFunctions.exp(exp, x, x.length);
    int ofErf = VectorFunctions.erf(erf, x, x.length);
    assertThat(Math.min(ofExp, ofErf)).isGreaterThan(COUNT);
    for (int i = 0; i < ofExp; i++) {
      int ofX = bits((float) FloatMath.exp(x[i]));
      assertThat(bits(exp[i])).as("exp of %s", x[i]).isEqualTo(ofX);
      int errorOfX = bits((float) FloatMath.erf(x[i]));
      assertThat(bits(erf[i])).as("erf of %s", x[i]).isEqualTo(errorOfX);
    }
  }

  @Test
  void vectorsOfALineHaveTheSameBits() {
    float[] x = floats();
    double most = 3.25;
    double[] line = new double[x.length];
    Arrays.setAll(line, i -> x[i]);
    int done = VectorFunctions.expAbove(line, most);
    assertThat(done).isGreaterThan(COUNT);
    for (int i = 0; i < done; i++) {
      long expected = Double.doubleToLongBits(FloatMath.exp(x[i] - most));
      assertThat(Double.doubleToLongBits(line[i])).as("exp of %s", x[i]).isEqualTo(expected);
    }
  }

  /* All that is no number has the same. */
  private static int bits(float x) {
    return Float.floatToIntBits(x);
  }

  /* At the edges, of all sizes, and of those that networks have. */
  private static float[] floats() {
    Random random = new Random(30);
    float[] floats = new float[EDGES.length + COUNT + 64];
    System.arraycopy(EDGES, 0, floats, 0, EDGES.length);
    for (int i = EDGES.length; i < floats.length; i++) {
      floats[i] =
          i % 3 == 0
              ? Float.intBitsToFloat(random.nextInt())
              : (float) (random.nextGaussian() * (i % 3 == 1 ? 2 : 40));
    }
    return floats;
  }
}
