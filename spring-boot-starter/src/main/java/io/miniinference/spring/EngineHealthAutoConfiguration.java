package io.miniinference.spring;

import io.miniinference.device.DeviceInfo;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.pool.PoolStatistics;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/// The engine's health where the application has Actuator: `engine` is up while the device works.
@AutoConfiguration(after = EngineAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
public class EngineHealthAutoConfiguration {

  @Bean
  @ConditionalOnEnabledHealthIndicator("engine")
  HealthIndicator engineHealthIndicator(InferenceEngine engine, LoadedModels models) {
    return () -> health(engine, models.all());
  }

  private static Health health(InferenceEngine engine, List<InferenceModel> models) {
    Health.Builder health = engine.runtime().healthy() ? Health.up() : Health.down();
    return health
        .withDetail("device", device(engine.device()))
        .withDetail("pool", pool(engine.runtime().pool().statistics()))
        .withDetail("models", models.stream().map(InferenceModel::name).toList())
        .build();
  }

  private static Map<String, Object> device(DeviceInfo device) {
    return Map.of("name", device.name(), "kind", device.kind(), "platform", device.platform());
  }

  private static Map<String, Object> pool(PoolStatistics pool) {
    return Map.of(
        "capacityBytes", pool.capacityBytes(),
        "usedBytes", pool.usedBytes(),
        "freeBytes", pool.freeBytes());
  }
}
