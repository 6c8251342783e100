package io.miniinference.service.startup;

import io.miniinference.service.serving.Statistics;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// The last line of a service that was told to end: that it has, and what it still did meanwhile.
@Component
final class LastLine implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(LastLine.class);

  private final Statistics statistics;
  private volatile @Nullable Beginning beginning;
  private final ApplicationContext own;
  private final LongSupplier nanoTime;
  private volatile boolean running;

  /// How it stood when the end began.
  private record Beginning(long nanos, long answered) {}

  @Autowired
  LastLine(Statistics statistics, ApplicationContext own) {
    this(statistics, own, System::nanoTime);
  }

  LastLine(Statistics statistics, ApplicationContext own, LongSupplier nanoTime) {
    this.statistics = statistics;
    this.own = own;
    this.nanoTime = nanoTime;
  }

  /* That of the management's own port ends later, when all is answered. */
  @EventListener
  void ending(ContextClosedEvent event) {
    if (running && event.getApplicationContext() == own) {
      beginning = new Beginning(nanoTime.getAsLong(), statistics.answered());
    }
  }

  @Override
  public void start() {
    running = true;
  }

  /* A start that is refused has a last line of its own. */
  @Override
  public void stop() {
    running = false;
    Beginning since = beginning;
    if (since != null) {
      LOG.info(
          "{}",
          line((nanoTime.getAsLong() - since.nanos) / 1e9, statistics.answered() - since.answered));
    }
  }

  static String line(double seconds, long answered) {
    return String.format(
        Locale.ROOT,
        "stopped in %.1f s: %s answered meanwhile, and none is left",
        seconds,
        answered == 1 ? "1 request was" : answered + " requests were");
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// Starts first and ends last, after the device is closed.
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }
}
