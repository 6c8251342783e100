package io.miniinference.spring.observe;

import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// The health of the pool: its bytes, and out of service while the engine is not open.
public final class PoolHealth implements HealthIndicator {
  private final EngineView view;

  public PoolHealth(EngineView view) {
    this.view = view;
  }

  @Override
  public Health health() {
    return view.engine().map(PoolHealth::of).orElseGet(() -> DeviceHealth.closed(view));
  }

  private static Health of(Engine engine) {
    PoolStatistics pool = engine.pool().statistics();
    return Health.up()
        .withDetail("capacityBytes", pool.capacityBytes())
        .withDetail("usedBytes", pool.usedBytes())
        .withDetail("freeBytes", pool.freeBytes())
        .build();
  }
}
