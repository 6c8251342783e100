package io.miniinference.spring.observe;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// The gauges `engine.memory.pool.*`, `engine.model.*`, `engine.device.kernels` and
/// `engine.planner.fallbacks`, where the application has Micrometer.
@AutoConfiguration(afterName = "io.miniinference.spring.EngineAutoConfiguration")
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(EngineView.class)
public class EngineMetersAutoConfiguration {

  @Bean
  MeterBinder engineMeters(EngineView view) {
    return new PoolMeters(view, "engine.");
  }

  @Bean
  MeterBinder engineModelMeters(EngineView view) {
    return new ModelMeters(view);
  }
}
