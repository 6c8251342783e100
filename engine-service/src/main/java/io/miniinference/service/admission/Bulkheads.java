package io.miniinference.service.admission;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The registry of bulkheads, with their meters and in Actuator's `bulkheads`, and without a record
/// of events: four dates and places in a ring for each request say nothing that meters do not say.
@Configuration(proxyBeanMethods = false)
class Bulkheads {

  @Bean
  BulkheadRegistry bulkheadRegistry(RegistryEventConsumer<Bulkhead> meters) {
    return BulkheadRegistry.of(BulkheadConfig.ofDefaults(), meters);
  }
}
