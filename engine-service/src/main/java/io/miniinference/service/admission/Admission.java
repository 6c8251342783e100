package io.miniinference.service.admission;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// The gate before the device: a bulkhead around whole requests, a budget of bytes for their
/// bodies, and a circuit breaker around the device's work. Only failures of the device count for
/// the breaker (see `resilience4j.circuitbreaker.instances.inference`).
@Component
public final class Admission {
  private static final String NAME = "inference";

  private final Bulkhead bulkhead;
  private final CircuitBreaker breaker;
  private final ByteBudget bodies;

  Admission(
      BulkheadRegistry bulkheads, CircuitBreakerRegistry breakers, EngineProperties properties) {
    EngineProperties.Queue queue = properties.queue();
    var config =
        BulkheadConfig.custom()
            .maxConcurrentCalls(queue.maxRequests())
            .maxWaitDuration(Duration.ZERO)
            .build();
    this.bulkhead = bulkheads.bulkhead(NAME, config);
    this.breaker = breakers.circuitBreaker(NAME);
    this.bodies = new ByteBudget(queue.maxBytes().toBytes());
  }

  /// Runs a whole request, or refuses it at once.
  ///
  /// @throws OverloadedException if as many as allowed are in flight
  public <T> T admit(Supplier<T> request) {
    try {
      return bulkhead.executeSupplier(request);
    } catch (BulkheadFullException e) {
      throw new OverloadedException(
          "too many requests in flight (engine.queue.max-requests="
              + bulkhead.getBulkheadConfig().getMaxConcurrentCalls()
              + ")",
          e);
    }
  }

  /// Runs a request's work on the device.
  ///
  /// @throws OverloadedException if the device failed too often and rests
  public <T> T onDevice(Supplier<T> work) {
    try {
      return breaker.executeSupplier(work);
    } catch (CallNotPermittedException e) {
      throw new OverloadedException(
          "the device has failed and its circuit breaker is open: try again later", e);
    }
  }

  /// The bytes of bodies in flight.
  public ByteBudget bodies() {
    return bodies;
  }
}
