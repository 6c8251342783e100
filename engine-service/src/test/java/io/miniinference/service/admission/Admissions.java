package io.miniinference.service.admission;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.miniinference.service.config.EngineProperties;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// Gates without a service around them.
final class Admissions {
  private Admissions() {}

  static Admission with(String property, String value) {
    var binder = new Binder(new MapConfigurationPropertySource(Map.of(property, value)));
    return new Admission(
        BulkheadRegistry.ofDefaults(),
        CircuitBreakerRegistry.ofDefaults(),
        RateLimiterRegistry.ofDefaults(),
        TimeLimiterRegistry.ofDefaults(),
        binder.bindOrCreate("engine", EngineProperties.class));
  }
}
