package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
  @Test
  void whatIsTakenComesBackAndNothingIsTakenBeyondTheCapacity() {
    var budget = new ByteBudget(100, "bytes");
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

  @Test
  void aPartTakesFromTheWholeAndBothAreBounds() {
    var whole = new ByteBudget(100, "whole");
    ByteBudget part = whole.part(60, "part");
    try (ByteBudget.Share share = part.open();
        ByteBudget.Share other = whole.open()) {
      share.take(50);

      assertThatThrownBy(() -> share.take(20)).hasMessageContaining("60 bytes (part)");
      assertThatThrownBy(() -> share.expect(20)).hasMessageContaining("60 bytes (part)");
      assertThat(whole.usedBytes()).isEqualTo(50);
      other.take(50);
      assertThatThrownBy(() -> share.take(1)).hasMessageContaining("100 bytes (whole)");
      share.release(50);
      assertThat(part.usedBytes()).isZero();
      assertThat(whole.usedBytes()).isEqualTo(50);
    }
    assertThat(whole.usedBytes()).isZero();
  }

  @Test
  void stringsThatNeverFitAreNotToldToComeAgain() {
    ByteBudget part = new ByteBudget(100, "whole").part(200, "part");
    try (ByteBudget.Share share = part.open()) {
      share.take(40);

      assertThatThrownBy(() -> share.takeForStrings(61))
          .isInstanceOfSatisfying(
              OverloadedException.class,
              it -> assertThat(it.reason()).isEqualTo(OverloadedException.Reason.TOO_LARGE))
          .hasMessage("the request's body and strings take more than 100 bytes (whole)");
      assertThat(part.usedBytes()).isEqualTo(40);
    }
  }

  @Test
  void largeBodiesLeaveRoomForSmallOnesAndOneAloneMayFillIt() {
    long capacity = 256L << 20;
    long most = capacity - capacity / 16;
    var budget = new ByteBudget(capacity, "bytes");
    try (ByteBudget.Share large = budget.open();
        ByteBudget.Share other = budget.open();
        ByteBudget.Share small = budget.open()) {
      large.expect(capacity);
      large.take(capacity);
      large.release(capacity / 2);

      assertThatThrownBy(() -> other.expect(capacity / 2)).isInstanceOf(OverloadedException.class);
      other.take(most - capacity / 2);
      assertThatThrownBy(() -> large.take(1)).isInstanceOf(OverloadedException.class);
      small.expect(ByteBudget.SMALL_BYTES);
      small.take(ByteBudget.SMALL_BYTES);
      assertThatThrownBy(() -> small.take(1)).isInstanceOf(OverloadedException.class);
      assertThat(budget.usedBytes()).isEqualTo(most + ByteBudget.SMALL_BYTES);
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void oneThatAsksForTooMuchRefusesNoOther() throws Exception {
    var budget = new ByteBudget(10, "engine.queue.max-bytes");
    var over = new AtomicBoolean();
    Thread greedy =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                try (ByteBudget.Share share = budget.open()) {
                  assertThatThrownBy(() -> share.take(11)).isInstanceOf(OverloadedException.class);
                }
              }
            });
    try {
      for (int i = 0; i < 200_000; i++) {
        try (ByteBudget.Share share = budget.open()) {
          share.take(1);
        }
      }
    } finally {
      over.set(true);
      greedy.join();
    }
    assertThat(budget.usedBytes()).isZero();
  }
}
