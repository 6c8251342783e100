package io.miniinference.service.doubles;

import io.miniinference.service.engine.EngineFactory;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/// Puts a [HeapEngine] in the place of the real one.
@TestConfiguration(proxyBeanMethods = false)
public class HeapEngineConfiguration {
  @Bean
  @Primary
  EngineFactory heapEngineFactory() {
    return HeapEngine::new;
  }
}
