package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PaceTest {
  private static final int MICROSECOND = 1_000;

  private final Pace pace = new Pace(2, 16);

  @Test
  void theGrainSaysHowManyShareALaunchAsLongAsNoRunHasShownWhatItemsTake() {
    pace.took(1, 1, 100 * MICROSECOND);
    assertThat(pace.members(0, 100, 30, 8)).isEqualTo(3);
    assertThat(pace.members(0, 100, 1, 8)).isEqualTo(8);
    assertThat(pace.members(0, 100, 200, 8)).isEqualTo(1);
  }

  @Test
  void laterEachWorkerOfALaunchHasFiveMicrosecondsOfWork() {
    pace.took(0, 10, 5 * MICROSECOND);
    assertThat(pace.members(0, 19, 1, 8)).isEqualTo(1);
    assertThat(pace.members(0, 20, 100, 8)).isEqualTo(2);
    assertThat(pace.members(0, 79, 1, 8)).isEqualTo(7);
    assertThat(pace.members(0, 1_000, 1, 8)).isEqualTo(8);
    pace.took(1, 1, 1_000 * MICROSECOND);
    assertThat(pace.members(1, 3, 1, 8)).isEqualTo(3);
  }

  @Test
  void itemsThatTakeNoTimeThatTheClockShowsAreNotShared() {
    pace.took(0, 1_000_000, 0);
    assertThat(pace.members(0, 1_000_000, 1, 8)).isEqualTo(1);
  }

  @Test
  void eachMemberHasOnePieceAsLongAsNoRunHasShownWhatItemsTake() {
    pace.took(1, 1, 100 * MICROSECOND);
    assertThat(pace.pieces(0, 100, 3)).isEqualTo(3);
    assertThat(pace.pieces(0, 2, 3)).isEqualTo(2);
  }

  @Test
  void longLaunchesAreCutIntoMorePiecesButNoMoreThanTheyHaveItems() {
    pace.took(0, 1, 5 * MICROSECOND);
    assertThat(pace.pieces(0, 24, 2)).isEqualTo(8);
    assertThat(pace.pieces(0, 25, 2)).isEqualTo(8);
    assertThat(pace.pieces(0, 1_000_000, 2)).isEqualTo(32);
    pace.took(1, 1, 1_000 * MICROSECOND);
    assertThat(pace.pieces(1, 5, 2)).isEqualTo(5);
  }

  @Test
  void oneRunThatTakesLongerOrShorterIsNoiseAndManyAreNews() {
    pace.took(0, 10, 10 * MICROSECOND);
    pace.took(0, 10, 10_000 * MICROSECOND);
    assertThat(pace.members(0, 19, 1, 4)).isEqualTo(3);
    pace.took(0, 10, 10);
    pace.took(0, 10, 10);
    assertThat(pace.members(0, 19, 1, 4)).isEqualTo(3);
    runs(200, 10_000 * MICROSECOND);
    assertThat(pace.members(0, 19, 1, 4)).isEqualTo(4);
    runs(200, 1 * MICROSECOND);
    assertThat(pace.members(0, 19, 1, 4)).isEqualTo(1);
  }

  private void runs(int count, long nanosOfTenItems) {
    for (int run = 0; run < count; run++) {
      pace.took(0, 10, nanosOfTenItems);
    }
  }
}
