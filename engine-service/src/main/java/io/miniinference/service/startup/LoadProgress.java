package io.miniinference.service.startup;

import io.miniinference.device.KernelBuild;
import io.miniinference.runtime.Engine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.engine.RunningEngine;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/// Tells how far loading is: a bar on standard error where that is a terminal, for which the start
/// scripts ask (`mie.progress`), and whose place a log line takes that comes meanwhile; elsewhere a
/// line of the log every five seconds.
@Component
final class LoadProgress implements DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(LoadProgress.class);
  private static final int WIDTH = 24;
  private static final long TICK_MILLIS = 200;
  private static final long LINE_SECONDS = 5;
  private static final String ERASE = "\r\033[K";

  private final Catalog catalog;
  private final RunningEngine engine;
  private final PrintStream terminal = System.err;
  private final long start = System.nanoTime();
  private final boolean drawn;
  private final Thread teller;
  private volatile boolean loading = true;

  LoadProgress(Catalog catalog, RunningEngine engine, Environment environment) {
    this.catalog = catalog;
    this.engine = engine;
    drawn = environment.getProperty("mie.progress", Boolean.class, false);
    teller =
        Thread.ofPlatform()
            .daemon()
            .name("progress")
            .start(drawn ? this::drawUntilLoaded : this::tellUntilLoaded);
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

  private void tellUntilLoaded() {
    long next = start + TimeUnit.SECONDS.toNanos(LINE_SECONDS);
    while (loading) {
      long left = next - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(left);
      } else {
        tell();
        next += TimeUnit.SECONDS.toNanos(LINE_SECONDS);
      }
    }
  }

  private void tell() {
    List<CatalogEntry> entries = catalog.entries();
    if (loading && !entries.isEmpty()) {
      LOG.info("{}", line(entries, building(), secondsSinceStart()));
    }
  }

  private Optional<KernelBuild> building() {
    return engine.openEngine().flatMap(Engine::building);
  }

  private long secondsSinceStart() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }

  /* Ends at the line's beginning, where the next line of the log begins. */
  private synchronized void draw() {
    List<CatalogEntry> entries = catalog.entries();
    if (loading && !entries.isEmpty()) {
      terminal.print(ERASE + bar(entries, building(), secondsSinceStart()) + "\r");
      terminal.flush();
    }
  }

  /// `[######## ] 2 of 6 models, 14 s: mnist-deep`, or `…: building 12 kernels of 'mnist-deep'`
  static String bar(List<CatalogEntry> entries, Optional<KernelBuild> building, long seconds) {
    List<String> waiting = waiting(entries);
    int done = entries.size() - waiting.size();
    int filled = WIDTH * done / entries.size();
    String text =
        "[%s%s] %d of %d models, %d s"
            .formatted(
                "#".repeat(filled), " ".repeat(WIDTH - filled), done, entries.size(), seconds);
    return text + now(waiting, building).map(it -> ": " + it).orElse("");
  }

  private static Optional<String> now(List<String> waiting, Optional<KernelBuild> building) {
    return building.map(it -> "building " + it).or(() -> waiting.stream().findFirst());
  }

  /// `loading for 14 s: 2 of 6 models done, mnist-deep is next`, or `…, building 12 kernels of
  /// 'mnist-deep'`
  static String line(List<CatalogEntry> entries, Optional<KernelBuild> building, long seconds) {
    List<String> waiting = waiting(entries);
    String text =
        "loading for %d s: %d of %d models done"
            .formatted(seconds, entries.size() - waiting.size(), entries.size());
    return text
        + building
            .map(it -> "building " + it)
            .or(() -> waiting.stream().findFirst().map(name -> name + " is next"))
            .map(it -> ", " + it)
            .orElse("");
  }

  private static List<String> waiting(List<CatalogEntry> entries) {
    return entries.stream()
        .filter(CatalogEntry.Loading.class::isInstance)
        .map(CatalogEntry::name)
        .toList();
  }

  @EventListener({ApplicationReadyEvent.class, ContextClosedEvent.class})
  synchronized void loaded() {
    if (loading) {
      loading = false;
      LockSupport.unpark(teller);
      if (drawn) {
        terminal.print(ERASE);
        terminal.flush();
      }
    }
  }

  /// Ends with a start that failed, too.
  @Override
  public void destroy() {
    loaded();
  }
}
