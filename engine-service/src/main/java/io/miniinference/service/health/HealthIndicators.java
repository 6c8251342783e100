package io.miniinference.service.health;

import io.miniinference.spring.observe.DeviceHealth;
import io.miniinference.spring.observe.EngineView;
import io.miniinference.spring.observe.ModelsHealth;
import io.miniinference.spring.observe.PoolHealth;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The starter's health of device, pool and models, each under a name of its own: the service has
/// little else that could fail.
@Configuration(proxyBeanMethods = false)
class HealthIndicators {

  @Bean
  DeviceHealth deviceHealthIndicator(EngineView view) {
    return new DeviceHealth(view);
  }

  @Bean
  PoolHealth poolHealthIndicator(EngineView view) {
    return new PoolHealth(view);
  }

  @Bean
  ModelsHealth modelsHealthIndicator(EngineView view) {
    return new ModelsHealth(view);
  }
}
