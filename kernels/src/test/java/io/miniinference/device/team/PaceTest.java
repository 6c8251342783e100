package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PaceTest {
  private static final int MICROSECOND = 1_000;

  private final Pace pace = new Pace(2, 16);

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
    assertThat(pace.pieces(0, 1_000_000, 2)).isEqualTo(32);
    pace.took(1, 1, 1_000 * MICROSECOND);
    assertThat(pace.pieces(1, 5, 2)).isEqualTo(5);
  }

  @Test
  void oneSlowRunIsNoiseAndManyAreNews() {
    pace.took(0, 10, 10 * MICROSECOND);
    pace.took(0, 10, 10_000 * MICROSECOND);
    assertThat(pace.pieces(0, 24, 2)).isEqualTo(2);
    for (int run = 0; run < 1_000; run++) {
      pace.took(0, 10, 10_000 * MICROSECOND);
    }
    assertThat(pace.pieces(0, 24, 2)).isEqualTo(24);
  }
}
