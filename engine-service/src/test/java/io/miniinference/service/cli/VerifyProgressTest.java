package io.miniinference.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.verify.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class VerifyProgressTest {
  private final StringWriter err = new StringWriter();
  private final AtomicLong now = new AtomicLong();

  private VerifyProgress progress(boolean isTerminal) {
    return new VerifyProgress(new PrintWriter(err), isTerminal, 500, now::get);
  }

  private void verify(VerifyProgress progress, long millis, boolean isPassed) {
    now.addAndGet(millis * 1_000_000);
    progress.count(new Verdict("net", isPassed ? "" : "wrong", List.of()));
  }

  @Test
  void withoutATerminalThereIsALineEveryFiveSeconds() {
    VerifyProgress progress = progress(false);
    verify(progress, 4_999, true);
    progress.erase();
    assertThat(err.toString()).isEmpty();
    verify(progress, 1, false);
    verify(progress, 4_000, true);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines("verified 2 of 500 models in 5 s, 1 failed\n");
  }

  @Test
  void onATerminalOneLineIsDrawnAgainAndMakesRoom() {
    VerifyProgress progress = progress(true);
    verify(progress, 100, true);
    assertThat(err.toString()).isEmpty();
    verify(progress, 100, true);
    assertThat(err.toString()).isEqualTo("\r\033[Kverified 2 of 500 models in 0 s, 0 failed\r");
    progress.erase();
    assertThat(err.toString()).endsWith("\r\r\033[K");
  }
}
