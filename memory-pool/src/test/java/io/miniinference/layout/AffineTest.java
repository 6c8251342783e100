package io.miniinference.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AffineTest {
  private static final List<Affine> SAMPLES =
      List.of(
          Affine.ZERO,
          Affine.ONE,
          Affine.N,
          Affine.of(-3),
          Affine.batch(-2),
          new Affine(7, 4),
          new Affine(-7, 4),
          new Affine(7, -4),
          new Affine(12, 8));

  @Test
  void sumsDifferencesAndProductsAgreeAtEveryBatch() {
    for (Affine a : SAMPLES) {
      for (Affine b : SAMPLES) {
        for (long n : new long[] {0, 1, 3}) {
          assertThat(a.plus(b).at(n)).isEqualTo(a.at(n) + b.at(n));
          assertThat(a.minus(b).at(n)).isEqualTo(a.at(n) - b.at(n));
          assertThat(a.times(-5).at(n)).isEqualTo(-5 * a.at(n));
          if (a.isConstant() || b.isConstant()) {
            assertThat(a.times(b).at(n)).isEqualTo(a.at(n) * b.at(n));
          }
        }
      }
    }
  }

  @Test
  void theBatchSquaredIsNoSize() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Affine.N.times(new Affine(1, 2)))
        .withMessage("the product of N and 1+2N has N squared");
  }

  @Test
  void overflowIsNeverSilent() {
    Affine large = new Affine(Long.MAX_VALUE, 1);
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> large.plus(Affine.ONE));
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> large.times(2));
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> large.at(1));
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> large.roundedUp(256));
  }

  @Test
  void textReadsBackAsTheSameSize() {
    assertThat(SAMPLES).allSatisfy(a -> assertThat(Affine.parse(a.toString())).isEqualTo(a));
    assertThat(SAMPLES)
        .map(Affine::toString)
        .containsExactly("0", "1", "N", "-3", "-2N", "7+4N", "-7+4N", "7+-4N", "12+8N");
  }

  @Test
  void textThatIsNoSizeIsRefused() {
    assertThat(List.of("", "M", "2M", "1+", "+", "N+N+", "1.5"))
        .allSatisfy(text ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> Affine.parse(text))
                .withMessageContaining("is no size like 7, N, 4N or 7+4N"));
  }

  @Test
  void quotientsAreExactOrRefused() {
    assertThat(new Affine(12, 8).dividedBy(4)).isEqualTo(new Affine(3, 2));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> new Affine(12, 2).dividedBy(4))
        .withMessage("12+2N is no multiple of 4");
  }

  @Test
  void roundingUpIsNeverBelowTheRoundedValue() {
    for (Affine a :
        List.of(Affine.ZERO, Affine.ONE, Affine.N, new Affine(300, 5), new Affine(256, 512))) {
      for (long n : new long[] {0, 1, 3}) {
        long rounded = a.roundedUp(256).at(n);
        assertThat(rounded).isGreaterThanOrEqualTo(Math.ceilDiv(a.at(n), 256L) * 256);
        assertThat(rounded % 256).isZero();
      }
    }
  }

  @Test
  void aDimensionIsAConstantOrAMultipleOfTheBatch() {
    assertThat(Affine.of(5).isDimension()).isTrue();
    assertThat(Affine.batch(5).isDimension()).isTrue();
    assertThat(Affine.ZERO.isDimension()).isTrue();
    assertThat(new Affine(1, 1).isDimension()).isFalse();
  }

  @Test
  void aSizeThatDependsOnTheBatchIsNoConstant() {
    assertThat(Affine.of(5).asConstant()).isEqualTo(5);
    assertThatIllegalStateException()
        .isThrownBy(() -> Affine.batch(2).asConstant())
        .withMessage("2N depends on the batch");
  }
}
