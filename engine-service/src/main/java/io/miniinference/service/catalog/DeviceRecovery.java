package io.miniinference.service.catalog;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.CatalogEntry.Ready;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Brings the service back when its device was lost: requests are refused, the breakers are open
/// and the service is not ready until device, pool and models are there again. If that takes long,
/// the service says that it is not alive, and goes on trying.
@Component
final class DeviceRecovery implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceRecovery.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final RunningEngine engine;
  private final Catalog catalog;
  private final ModelLoads loads;
  private final Reloading reloading;
  private final Admission admission;
  private final Duration livenessAfter;
  private final ApplicationContext context;
  private volatile @Nullable Thread thread;

  DeviceRecovery(
      RunningEngine engine,
      Catalog catalog,
      ModelLoads loads,
      Reloading reloading,
      Admission admission,
      EngineProperties properties,
      ApplicationContext context) {
    this.engine = engine;
    this.catalog = catalog;
    this.loads = loads;
    this.reloading = reloading;
    this.admission = admission;
    this.livenessAfter = properties.deviceLoss().livenessAfter();
    this.context = context;
  }

  /// After the engine, and ended before it.
  @Override
  public int getPhase() {
    return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 512;
  }

  @Override
  public void start() {
    thread = Thread.ofPlatform().daemon().name("device-recovery").start(this::watch);
  }

  private void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        engine.awaitLoss(LOOK);
        if (engine.isLost()) {
          loads.exclusively(this::recover);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void recover() {
    long start = System.nanoTime();
    List<Ready> served = withdraw();
    LOG.error(
        "the device was lost with {} models on it; it is opened anew, and they are loaded again",
        served.size());
    if (broughtBack(served, start)) {
      AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
      LOG.info("the device is back after {} ms", (System.nanoTime() - start) / 1_000_000);
    }
  }

  private List<Ready> withdraw() {
    List<Ready> served = new ArrayList<>();
    for (CatalogEntry entry : catalog.versions()) {
      if (entry instanceof Ready ready) {
        served.add(ready);
        catalog.put(new CatalogEntry.Recovering(ready.name(), ready.version()));
        admission.deviceLost(ready.name());
      }
    }
    return served;
  }

  /* False if the service ends before. */
  private boolean broughtBack(List<Ready> served, long start) {
    Duration pause = SHORTEST_PAUSE;
    while (!isBack(served)) {
      if (System.nanoTime() - start > livenessAfter.toNanos()) {
        AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      pause = Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
    }
    return true;
  }

  private boolean isBack(List<Ready> served) {
    try {
      engine.reopen();
      List<CatalogEntry> entries = reloading.reload(served);
      if (engine.isLost()) {
        return false;
      }
      served.forEach(model -> admission.deviceBack(model.name()));
      entries.reversed().forEach(this::enter); // no request gets an older version meanwhile
      return true;
    } catch (RuntimeException e) {
      LOG.error("the device is not back yet: {}", e.getMessage());
      return false;
    }
  }

  private void enter(CatalogEntry entry) {
    if (entry instanceof Ready ready) {
      loads.enter(ready);
    } else {
      catalog.put(entry);
    }
  }

  @Override
  public void stop() {
    Thread running = thread;
    thread = null;
    if (running != null) {
      running.interrupt();
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }
}
