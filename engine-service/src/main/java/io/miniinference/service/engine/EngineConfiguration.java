package io.miniinference.service.engine;

import io.miniinference.runtime.open.Engines;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How the service gets its engine.
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
  @Bean
  EngineFactory engineFactory() {
    return Engines::open;
  }
}
