package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
  @Test
  void whatIsTakenComesBackAndNothingIsTakenBeyondTheCapacity() {
    var budget = new ByteBudget(100);
    try (ByteBudget.Share share = budget.open();
        ByteBudget.Share other = budget.open()) {
      share.take(60);
      share.take(40);

      assertThatThrownBy(() -> other.take(1))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("100 bytes");
      assertThat(budget.usedBytes()).isEqualTo(100);
    }
    assertThat(budget.usedBytes()).isZero();
  }
}
