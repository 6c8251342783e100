package io.miniinference.service.health;

import io.miniinference.device.DeviceInfo;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.engine.RunningEngine;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The health of device, pool and models, as Actuator shows it.
@Configuration(proxyBeanMethods = false)
class HealthIndicators {

  @Bean
  HealthIndicator deviceHealthIndicator(RunningEngine engine) {
    return () -> engine.isRunning() ? device(engine.engine()) : closed();
  }

  @Bean
  HealthIndicator poolHealthIndicator(RunningEngine engine) {
    return () -> engine.isRunning() ? pool(engine.engine().pool().statistics()) : closed();
  }

  @Bean
  HealthIndicator modelsHealthIndicator(Catalog catalog) {
    return () -> models(catalog.entries());
  }

  private static Health closed() {
    return Health.outOfService().withDetail("engine", "not open").build();
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

  /// Ready if there is a model, and none is missing.
  private static Health models(List<CatalogEntry> entries) {
    boolean ready =
        !entries.isEmpty() && entries.stream().allMatch(CatalogEntry.Ready.class::isInstance);
    Health.Builder health = ready ? Health.up() : Health.down();
    entries.forEach(entry -> health.withDetail(entry.name(), state(entry)));
    return health.build();
  }

  private static String state(CatalogEntry entry) {
    return switch (entry) {
      case CatalogEntry.Ready ready -> "ready, version " + ready.version();
      case CatalogEntry.Loading _ -> "loading";
      case CatalogEntry.Failed failed -> failed.problem();
    };
  }
}
