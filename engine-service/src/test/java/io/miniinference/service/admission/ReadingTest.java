package io.miniinference.service.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Requests count while their bodies are read, and not while their clients send nothing.
final class ReadingTest {
  private static final String MODEL = "any";

  private final Admission admission = Admissions.with("engine.queue.max-requests", "2");

  @Test
  void noMoreAreReadThanThereArePlacesFor() {
    try (Admission.Reading first = admission.enter(MODEL);
        Admission.Reading second = admission.enter(MODEL);
        Admission.Reading third = admission.enter(MODEL)) {
      first.begin();
      second.begin();

      assertThatThrownBy(third::begin)
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("engine.queue.max-requests=2");
      assertThatThrownBy(() -> admission.enter(MODEL)).isInstanceOf(OverloadedException.class);
    }
    assertThat(admission.hasRoom(MODEL, 2, 1)).isTrue();
    admission.enter(MODEL).close();
  }

  @Test
  void whatWaitsForItsClientKeepsNoOtherOneOut() {
    try (Admission.Reading first = admission.enter(MODEL);
        Admission.Reading second = admission.enter(MODEL)) {
      first.begin();
      second.begin();
      second.waitForClient(true);
      try (Admission.Reading third = admission.enter(MODEL)) {
        third.begin();
        second.waitForClient(false);
        second.waitForClient(false);
        third.waitForClient(true);
        first.waitForClient(true);
      }
      admission.enter(MODEL).close();
    }
  }

  @Test
  void aRequestThatHasItsPlaceLeavesTheOthersTheirs() {
    try (Admission.Reading reading = admission.enter(MODEL)) {
      reading.begin();
      try (Admission.Place place = admission.admit(MODEL)) {
        assertThat(place).isNotNull();
        reading.close();
        admission.enter(MODEL).close();
      }
    }
  }
}
