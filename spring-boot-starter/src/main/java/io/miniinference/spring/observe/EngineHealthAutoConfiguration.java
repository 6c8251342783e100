package io.miniinference.spring.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/// The engine's health where the application has Actuator: `engine`, of its device, its pool and
/// its models.
@AutoConfiguration(afterName = "io.miniinference.spring.EngineAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(EngineView.class)
public class EngineHealthAutoConfiguration {

  @Bean
  @ConditionalOnEnabledHealthIndicator("engine")
  HealthContributor engineHealthContributor(EngineView view) {
    Map<String, HealthIndicator> parts = new LinkedHashMap<>();
    parts.put("device", new DeviceHealth(view));
    parts.put("pool", new PoolHealth(view));
    parts.put("models", new ModelsHealth(view));
    return CompositeHealthContributor.fromMap(parts);
  }
}
