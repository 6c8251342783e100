package io.miniinference.service.observe;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.miniinference.spring.observe.EngineView;
import io.miniinference.spring.observe.PoolMeters;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The gauges `memory.pool.*`, `device.kernels` and `planner.fallbacks`: the names of before, which
/// go with the next release.
@Configuration(proxyBeanMethods = false)
class FormerMeters {

  @Bean
  MeterBinder formerPoolMeters(EngineView view) {
    return new PoolMeters(view, "");
  }
}
