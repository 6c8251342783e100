package io.miniinference.service.cli;

import io.miniinference.service.verify.Verdict;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Tells on standard error how far a verification is: on a terminal in a line whose place is taken
/// by what is told meanwhile, elsewhere in a line every five seconds. For one thread.
final class VerifyProgress {
  private static final long DRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String ERASE = "\r\033[K";

  private final PrintWriter err;
  private final boolean isTerminal;
  private final int models;
  private final LongSupplier clock;
  private final long start;
  private long told;
  private int done;
  private int failed;

  /// @param models how many there are
  /// @param clock in nanoseconds
  VerifyProgress(PrintWriter err, boolean isTerminal, int models, LongSupplier clock) {
    this.err = err;
    this.isTerminal = isTerminal;
    this.models = models;
    this.clock = clock;
    start = clock.getAsLong();
    told = start;
  }

  /// Counts a model, and tells if it is time to.
  void count(Verdict verdict) {
    done++;
    failed += verdict.isPassed() ? 0 : 1;
    long now = clock.getAsLong();
    if (now - told >= (isTerminal ? DRAW_NANOS : LINE_NANOS)) {
      told = now;
      tell(now);
    }
  }

  private void tell(long now) {
    String line =
        "verified %d of %d models in %d s, %d failed"
            .formatted(done, models, TimeUnit.NANOSECONDS.toSeconds(now - start), failed);
    if (isTerminal) {
      err.print(ERASE + line + "\r");
    } else {
      err.println(line);
    }
    err.flush();
  }

  /// Makes room for a line of others.
  void erase() {
    if (isTerminal) {
      err.print(ERASE);
      err.flush();
    }
  }
}
