package io.miniinference.service.startup;

import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// A bar on standard error that tells how far loading is. The start scripts ask for it
/// (`mie.progress`) where that is a terminal; a log line that comes meanwhile takes its place.
/// Without a terminal this bean does nothing.
@Component
final class LoadProgress {
  private static final int WIDTH = 24;
  private static final long TICK_MILLIS = 200;
  private static final String ERASE = "\r\033[K";

  private final Catalog catalog;
  private final PrintStream terminal = System.err;
  private final long start = System.nanoTime();
  private final boolean drawn;
  private volatile boolean loading;

  LoadProgress(Catalog catalog, Environment environment) {
    this.catalog = catalog;
    drawn = environment.getProperty("mie.progress", Boolean.class, false);
    loading = drawn;
    if (drawn) {
      Thread.ofPlatform().daemon().name("progress").start(this::drawUntilLoaded);
    }
  }

  /// Whether there is a bar in this start.
  boolean isDrawn() {
    return drawn;
  }

  private void drawUntilLoaded() {
    while (loading) {
      draw();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
    }
  }

  /* Ends at the line's beginning, where the next line of the log begins. */
  private synchronized void draw() {
    List<CatalogEntry> entries = catalog.entries();
    if (loading && !entries.isEmpty()) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      terminal.print(ERASE + bar(entries, seconds) + "\r");
      terminal.flush();
    }
  }

  /// `[######## ] 2 of 6 models, 14 s: mnist-deep`
  static String bar(List<CatalogEntry> entries, long seconds) {
    List<String> waiting =
        entries.stream()
            .filter(CatalogEntry.Loading.class::isInstance)
            .map(CatalogEntry::name)
            .toList();
    int done = entries.size() - waiting.size();
    int filled = WIDTH * done / entries.size();
    String text =
        "[%s%s] %d of %d models, %d s"
            .formatted(
                "#".repeat(filled), " ".repeat(WIDTH - filled), done, entries.size(), seconds);
    return waiting.isEmpty() ? text : text + ": " + waiting.getFirst();
  }

  @EventListener({ApplicationReadyEvent.class, ContextClosedEvent.class})
  synchronized void loaded() {
    if (loading) {
      loading = false;
      terminal.print(ERASE);
      terminal.flush();
    }
  }
}
