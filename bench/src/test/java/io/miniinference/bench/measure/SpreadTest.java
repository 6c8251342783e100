package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void theMedianIsTheMiddleOrBetweenTheMiddleTwo() {
    assertThat(Spread.median(5, 1, 3)).isEqualTo(3);
    assertThat(Spread.median(4, 1, 3, 100)).isEqualTo(3.5);
    assertThat(Spread.median(7)).isEqualTo(7);
  }

  @Test
  void samplesStayInTheirOrder() {
    double[] samples = {3, 1, 2};
    Spread.median(samples);
    Spread.of(samples);
    assertThat(samples).containsExactly(3, 1, 2);
  }

  @Test
  void aSpreadHoldsNineOfTenSamples() {
    double[] hundredAndOne = IntStream.rangeClosed(0, 100).asDoubleStream().toArray();
    assertThat(Spread.of(hundredAndOne)).isEqualTo(new Spread(50, 5, 95, 101));
  }

  @Test
  void percentilesLieBetweenSamples() {
    Spread spread = Spread.of(10, 20);
    assertThat(spread.low()).isEqualTo(10.5, within(1e-12));
    assertThat(spread.high()).isEqualTo(19.5, within(1e-12));
  }

  @Test
  void nothingHasNoMedian() {
    assertThatThrownBy(() -> Spread.of(DoubleStream.empty().toArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no samples");
  }
}
