package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BodyBuffersTest {
  private static final int LARGE = 1 << 20;

  private final BodyBuffers buffers = new BodyBuffers(3 * LARGE);

  @Test
  void aBodyKeepsWhatItHeldWhileItGrows() {
    try (BodyBuffers.Body body = buffers.open()) {
      body.grow(4)[3] = 7;
      body.grow(LARGE)[LARGE - 1] = 8;
      byte[] last = body.grow(2 * LARGE);

      assertThat(last[3]).isEqualTo((byte) 7);
      assertThat(last[LARGE - 1]).isEqualTo((byte) 8);
    }
  }

  @Test
  void theNextBodyGrowsIntoTheArraysOfTheOneBefore() {
    byte[] first;
    byte[] second;
    try (BodyBuffers.Body body = buffers.open()) {
      first = body.grow(LARGE);
      second = body.grow(2 * LARGE);
    }

    try (BodyBuffers.Body body = buffers.open()) {
      assertThat(body.grow(LARGE - 2)).isSameAs(first);
      assertThat(body.grow(LARGE - 1)).as("long enough already").isSameAs(first);
      assertThat(body.grow(2 * LARGE)).isSameAs(second);
    }
    assertThat(buffers.keptBytes()).isEqualTo(3L * LARGE);
  }

  @Test
  void anArrayIsForOneBodyAtATimeAndWhatIsReferredToForNoOther() {
    try (BodyBuffers.Body body = buffers.open();
        BodyBuffers.Body other = buffers.open()) {
      byte[] array = body.grow(LARGE);
      assertThat(other.grow(LARGE)).isNotSameAs(array);
      body.leave();
    }

    assertThat(buffers.keptBytes()).isEqualTo(LARGE);
  }

  @Test
  void noMoreAreKeptThanAllowedAndNoneForMuchSmallerBodies() {
    for (int i = 0; i < 5; i++) {
      try (BodyBuffers.Body body = buffers.open()) {
        body.grow(LARGE + 3 * i * LARGE / 10);
      }
    }
    assertThat(buffers.keptBytes()).isLessThanOrEqualTo(3L * LARGE).isPositive();

    try (BodyBuffers.Body body = buffers.open()) {
      assertThat(body.grow(LARGE / 4)).hasSize(LARGE / 4);
      assertThat(body.grow(4 * LARGE)).hasSize(4 * LARGE);
    }
  }
}
