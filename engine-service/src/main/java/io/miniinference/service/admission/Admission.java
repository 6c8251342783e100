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
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// The gate before the device: a bulkhead around requests whose bodies are read, a budget of bytes
/// for those bodies, and a circuit breaker per model around the device's work. Only failures of the
/// device count for a breaker (see `resilience4j.circuitbreaker.configs.inference`). A model whose
/// kernels fail leaves the others alone; a device that is lost for all says so itself.
@Component
public final class Admission {
  private static final String NAME = "inference";

  private final Bulkhead bulkhead;
  private final CircuitBreakerRegistry breakers;
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
    this.breakers = breakers;
    this.bodies = new ByteBudget(queue.maxBytes().toBytes());
  }

  /// Runs a whole request, or refuses it at once.
  ///
  /// @throws OverloadedException if as many as allowed are in flight
  public <T> T admit(Supplier<T> request) {
    try {
      return bulkhead.executeSupplier(request);
    } catch (BulkheadFullException e) {
      throw full();
    }
  }

  /// Refuses a request that would not be let in now, before its body is read.
  ///
  /// @throws OverloadedException if as many as allowed are in flight
  public void checkRoom() {
    if (bulkhead.getMetrics().getAvailableConcurrentCalls() <= 0) {
      throw full();
    }
  }

  private OverloadedException full() {
    return new OverloadedException(
        "too many requests in flight (engine.queue.max-requests="
            + bulkhead.getBulkheadConfig().getMaxConcurrentCalls()
            + ")");
  }

  /// Runs a request's work on the device.
  ///
  /// @param model whose breaker counts it
  /// @throws OverloadedException if the device failed too often with this model, and it rests
  public <T> T onDevice(String model, Supplier<T> work) {
    CircuitBreaker breaker = breaker(model);
    try {
      return breaker.executeSupplier(work);
    } catch (CallNotPermittedException e) {
      throw new OverloadedException(why(model, breaker), e);
    }
  }

  /// Why a model takes no requests now although it is loaded; empty if it does.
  public Optional<String> closedFor(String model) {
    CircuitBreaker breaker = breaker(model);
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> Optional.of(why(model, breaker));
      case CLOSED, HALF_OPEN, DISABLED, METRICS_ONLY -> Optional.empty();
    };
  }

  private CircuitBreaker breaker(String model) {
    return breakers.circuitBreaker(model, NAME);
  }

  private static String why(String model, CircuitBreaker breaker) {
    return breaker.getState() == CircuitBreaker.State.FORCED_OPEN
        ? "the circuit breaker of model '" + model + "' was opened by hand, not by a failure"
        : "the device has failed with model '"
            + model
            + "' and its circuit breaker is open: try again later";
  }

  /// The bytes of bodies in flight.
  public ByteBudget bodies() {
    return bodies;
  }
}
