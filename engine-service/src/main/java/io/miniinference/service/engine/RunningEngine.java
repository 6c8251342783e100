package io.miniinference.service.engine;

import io.miniinference.budget.LoadLimits;
import io.miniinference.device.DeviceException;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.Planning;
import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// The engine of this process. It is open before the port is, and closes (models, pool, device)
/// when the port is closed and all requests are answered.
@Component
public final class RunningEngine implements SmartLifecycle, DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(RunningEngine.class);

  private final EngineFactory factory;
  private final EngineOptions options;
  private final Semaphore losses = new Semaphore(0);
  private volatile @Nullable Engine engine;
  private volatile boolean reopening;

  RunningEngine(EngineFactory factory, EngineProperties properties) {
    this.factory = factory;
    this.options = options(properties);
  }

  /// How the properties want an engine.
  static EngineOptions options(EngineProperties properties) {
    EngineProperties.OpenCl opencl = properties.opencl();
    return new EngineOptions(
        properties.pool().capacity().toBytes(),
        properties.device().name().toLowerCase(Locale.ROOT),
        opencl.platform(),
        opencl.device(),
        opencl.codegen().name().toLowerCase(Locale.ROOT),
        properties.cacheDirectory(),
        properties.failureChecks(),
        Planning.defaults()
            .withSearchNodes(properties.planner().searchNodes())
            .withRows(properties.planner().rows()),
        limits(properties.loading()),
        properties.precision());
  }

  private static LoadLimits limits(EngineProperties.Loading loading) {
    return new LoadLimits(
        loading.maxTime(),
        loading.maxWork(),
        loading.maxMemory().toBytes(),
        loading.maxOperations());
  }

  /// The open engine.
  ///
  /// @throws DeviceLostException while it is opened anew
  /// @throws IllegalStateException before start and after stop
  public Engine engine() {
    Engine open = engine;
    if (open == null && reopening) {
      throw new DeviceLostException(null);
    }
    if (open == null) {
      throw new IllegalStateException("the engine is not open");
    }
    return open;
  }

  /// The engine while it is open.
  public Optional<Engine> openEngine() {
    return Optional.ofNullable(engine);
  }

  /// Whether the device was lost and is not open again.
  public boolean isLost() {
    Engine open = engine;
    return reopening || open != null && !open.healthy();
  }

  /// What a client is to be told of a failure: the loss of the device, if it was that. Who waits
  /// for a loss is woken then.
  ///
  /// @param used the engine on which it happened, which may have been replaced since
  public RuntimeException told(RuntimeException failure, Engine used) {
    if (failure instanceof DeviceException && !used.healthy()) {
      losses.release();
      return new DeviceLostException(failure);
    }
    return failure;
  }

  /// Waits until somebody met a loss, or that long.
  public void awaitLoss(Duration longest) throws InterruptedException {
    losses.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS);
    losses.drainPermits();
  }

  /// Closes the engine whose device was lost, with its models and its pool, and opens another.
  ///
  /// @throws DeviceException if there is no device yet
  public void reopen() {
    reopening = true;
    close();
    engine = factory.open(options);
    reopening = false;
  }

  /* A lost device may fail to give back what is lost with it. */
  private void close() {
    Engine lost = engine;
    engine = null;
    try {
      if (lost != null) {
        lost.close();
      }
    } catch (RuntimeException e) {
      LOG.warn("the lost device could not be closed in good order: {}", e.getMessage());
    }
  }

  @Override
  public int getPhase() {
    return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1024;
  }

  @Override
  public void start() {
    engine = factory.open(options);
  }

  @Override
  public void stop() {
    Engine open = engine;
    engine = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public boolean isRunning() {
    return engine != null;
  }

  /// Closes the engine of a service that failed to start.
  @Override
  public void destroy() {
    stop();
  }
}
