package io.miniinference.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class GrowthTest {
  @Test
  void aLogarithmAddsTheSameForEachDoubling() {
    Growth growth = new Growth();
    for (int live : new int[] {10, 1_000, 100_000}) {
      growth.add(live, 50 + 7 * Math.log(live) / Math.log(2));
    }
    assertThat(growth.perDoubling()).containsExactly(new double[] {7, 7}, within(1e-9));
    assertThat(growth.text()).isEqualTo("7.0 ns from 10 to 1,000 and 7.0 ns from 1,000 to 100,000");
  }

  @Test
  void aLineAddsMoreAndMore() {
    Growth growth = new Growth();
    growth.add(1, 1);
    growth.add(2, 2);
    growth.add(8, 8);
    assertThat(growth.perDoubling()).containsExactly(new double[] {1, 3}, within(1e-9));
  }
}
