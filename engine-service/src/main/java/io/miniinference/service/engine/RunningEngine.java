package io.miniinference.service.engine;

import io.miniinference.budget.LoadLimits;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.Planning;
import io.miniinference.service.config.EngineProperties;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// The engine of this process. It is open before the port is, and closes (models, pool, device)
/// when the port is closed and all requests are answered.
@Component
public final class RunningEngine implements SmartLifecycle, DisposableBean {
  private final EngineFactory factory;
  private final EngineOptions options;
  private volatile @Nullable Engine engine;

  RunningEngine(EngineFactory factory, EngineProperties properties) {
    this.factory = factory;
    this.options = options(properties);
  }

  private static EngineOptions options(EngineProperties properties) {
    EngineProperties.OpenCl opencl = properties.opencl();
    return new EngineOptions(
        properties.pool().capacity().toBytes(),
        properties.device().name().toLowerCase(Locale.ROOT),
        opencl.platform(),
        opencl.device(),
        opencl.codegen().name().toLowerCase(Locale.ROOT),
        properties.cacheDirectory(),
        properties.failureChecks(),
        Planning.defaults().withSearchNodes(properties.planner().searchNodes()),
        limits(properties.loading()),
        properties.precision());
  }

  private static LoadLimits limits(EngineProperties.Loading loading) {
    return new LoadLimits(loading.maxTime(), loading.maxWork(), loading.maxMemory().toBytes());
  }

  /// The open engine.
  ///
  /// @throws IllegalStateException before start and after stop
  public Engine engine() {
    Engine open = engine;
    if (open == null) {
      throw new IllegalStateException("the engine is not open");
    }
    return open;
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
