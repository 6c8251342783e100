package io.miniinference.service.health;

import io.miniinference.device.DeviceInfo;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The health of device, pool and models, as Actuator shows it.
@Configuration(proxyBeanMethods = false)
class HealthIndicators {

  @Bean
  HealthIndicator deviceHealthIndicator(RunningEngine engine) {
    return () -> engine.isRunning() ? device(engine.engine()) : closed(engine);
  }

  @Bean
  HealthIndicator poolHealthIndicator(RunningEngine engine) {
    return () -> engine.isRunning() ? pool(engine.engine().pool().statistics()) : closed(engine);
  }

  @Bean
  HealthIndicator modelsHealthIndicator(
      Catalog catalog, Admission admission, EngineProperties properties) {
    return new ModelsHealth(catalog, admission, properties.models());
  }

  private static Health closed(RunningEngine engine) {
    return Health.outOfService()
        .withDetail("engine", engine.isLost() ? "lost, and is being opened anew" : "not open")
        .build();
  }

  private static Health device(Engine engine) {
    DeviceInfo info = engine.device();
    Health.Builder health = engine.healthy() ? Health.up() : Health.down();
    return health
        .withDetail("name", info.name())
        .withDetail("kind", info.kind())
        .withDetail("platform", info.platform())
        .build();
  }

  private static Health pool(PoolStatistics pool) {
    return Health.up()
        .withDetail("capacityBytes", pool.capacityBytes())
        .withDetail("usedBytes", pool.usedBytes())
        .withDetail("freeBytes", pool.freeBytes())
        .build();
  }
}
