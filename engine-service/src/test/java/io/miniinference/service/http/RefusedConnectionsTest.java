package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RefusedConnectionsTest {
  private static final int FEW = 3;
  private static final int BUSY = 503;
  private static final int TOO_MANY = 429;
  private static final long LONGEST = 8_000_000_000L;
  private static final long FIRST = 2_000_000_000L;

  private final RefusedConnections refused = new RefusedConnections(FEW);
  private final long now = System.nanoTime();

  @BeforeEach
  void pause() {
    refused.setLongest(Duration.ofNanos(LONGEST));
  }

  @Test
  void aConnectionIsReadLaterOnlyIfItsRefusalIsOneOfAFlood() {
    assertThat(pauseAfter("first", BUSY)).isZero();
    assertThat(pauseAfter("second", TOO_MANY)).isZero();
    assertThat(pauseAfter("third", BUSY)).isZero();

    assertThat(pauseAfter("fourth", BUSY)).isEqualTo(FIRST);
    assertThat(pauseAfter("answered", 200)).isZero();
    assertThat(pauseAfter("wrong", 400)).isZero();
  }

  private long pauseAfter(String connection, int status) {
    refused.answered(connection, status, now);
    return refused.pauseNanos(connection, now);
  }

  /// As while a lost device is opened again.
  @Test
  void aFewConnectionsThatAskAllTheTimeAreNoFlood() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(pauseAfter("one of " + i % FEW, BUSY)).isZero();
    }
  }

  @Test
  void aFloodEnds() {
    flood();
    long later = now + 2 * RefusedConnections.WINDOW_NANOS;
    refused.answered("later", BUSY, later);

    assertThat(refused.pauseNanos("later", later)).isZero();
  }

  @Test
  void onlyWhoAsksTooSoonWaitsOnceUntilItsTimeAndIsForgottenWithItsConnection() {
    flood();
    refused.answered("a", BUSY, now);
    refused.answered("b", BUSY, now);
    refused.answered("c", BUSY, now);
    refused.forget("c");

    assertThat(refused.pauseNanos("a", now + 1)).isEqualTo(FIRST - 1);
    assertThat(refused.pauseNanos("a", now + 1)).isZero();
    assertThat(refused.pauseNanos("b", now + RefusedConnections.TOO_SOON_NANOS)).isZero();
    assertThat(refused.pauseNanos("c", now)).isZero();
  }

  @Test
  void aConnectionThatIsRefusedAgainAfterItsPauseHasALongerOne() {
    flood();

    assertThat(pauseAfter("a", BUSY)).isEqualTo(FIRST);
    assertThat(pauseAfter("a", BUSY)).isEqualTo(LONGEST);
    assertThat(pauseAfter("a", 200)).isZero();
    assertThat(pauseAfter("a", BUSY)).isEqualTo(FIRST);
  }

  @Test
  void inAFloodThatGoesOnAFewRefusalsAreAnsweredAtOnceHoweverFewConnectionsTheyAreOf() {
    flood();
    refused.answered("a", BUSY, now);
    long next = now + RefusedConnections.WINDOW_NANOS + 1;

    refused.answered("first", BUSY, next);
    refused.answered("again", BUSY, next);
    assertThat(refused.pauseNanos("first", next)).isZero();
    assertThat(refused.pauseNanos("again", next)).isEqualTo(FIRST);
  }

  @Test
  void noneWaitsWherePausesAreOff() {
    refused.setLongest(Duration.ZERO);
    flood();

    assertThat(pauseAfter("a", BUSY)).isZero();
  }

  private void flood() {
    for (int i = 0; i < FEW; i++) {
      refused.answered("other " + i, BUSY, now);
    }
  }
}
