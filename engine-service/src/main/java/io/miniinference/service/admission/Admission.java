package io.miniinference.service.admission;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// The gate before the device: bulkheads around requests whose bodies are read, budgets of bytes
/// for those bodies, each for all requests and for those of a model, and a circuit breaker per
/// model around the device's work. Only failures of the device count for a breaker (see
/// `resilience4j.circuitbreaker.configs.inference`). A model whose kernels fail leaves the others
/// alone; a device that is lost for all says so itself.
///
/// Limits of rate and of waiting are off, unless Resilience4j's properties name them for all
/// models: `resilience4j.ratelimiter.configs.inference` and
/// `resilience4j.timelimiter.configs.inference`. A request that the device works on is not
/// interrupted: the time limit is on the wait before.
@Component
public final class Admission {
  private static final String NAME = "inference";

  private final Gate all;
  private final BulkheadRegistry bulkheads;
  private final CircuitBreakerRegistry breakers;
  private final RateLimiterRegistry rates;
  private final TimeLimiterRegistry times;
  private final EngineProperties.Queue queue;
  private final ByteBudget bodies;
  private final Map<String, ModelLimits> limits = new ConcurrentHashMap<>();

  Admission(
      BulkheadRegistry bulkheads,
      CircuitBreakerRegistry breakers,
      RateLimiterRegistry rates,
      TimeLimiterRegistry times,
      EngineProperties properties) {
    this.queue = properties.queue();
    this.bulkheads = bulkheads;
    this.breakers = breakers;
    this.rates = rates;
    this.times = times;
    this.all =
        new Gate(
            bulkheads.bulkhead(NAME, atOnce(queue.maxRequests())),
            new Pace(Duration.ZERO),
            "engine.queue.max-requests");
    this.bodies = new ByteBudget(queue.maxBytes().toBytes(), "engine.queue.max-bytes");
  }

  private static BulkheadConfig atOnce(int requests) {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(requests)
        .maxWaitDuration(Duration.ZERO)
        .build();
  }

  /* A bulkhead has another name than that of all, whatever the model is called. */
  private ModelLimits limits(String model) {
    ModelLimits known = limits.get(model);
    return known != null ? known : limits.computeIfAbsent(model, this::open);
  }

  private ModelLimits open(String model) {
    return new ModelLimits(
        new Gate(
            bulkheads.bulkhead(NAME + "/" + model, atOnce(queue.maxRequestsPerModel())),
            new Pace(queue.maxWait()),
            "engine.queue.max-requests-per-model"),
        bodies.part(queue.maxBytesPerModel().toBytes(), "engine.queue.max-bytes-per-model"),
        rates.getConfiguration(NAME).map(config -> rateLimiter(model)).orElse(null),
        times.getConfiguration(NAME).map(config -> timeLimiter(model)).orElse(null));
  }

  private RateLimiter rateLimiter(String model) {
    return rates.rateLimiter(model, NAME);
  }

  private TimeLimiter timeLimiter(String model) {
    return times.timeLimiter(model, NAME);
  }

  /// Counts a request in, before its body is read.
  ///
  /// @return to be closed when it has been read
  /// @throws OverloadedException if as many as allowed are in flight or about to be, or came in a
  ///   time
  public Reading enter(String model) {
    ModelLimits own = limits(model);
    all.requireRoom();
    own.gate().requireRoom();
    own.countIn(model);
    return new Reading(List.of(all, own.gate()));
  }

  /// A request that is being read, until it is closed. While its bytes are at hand it counts as
  /// about to be in flight: what is read and parsed for a request that is then refused is lost to
  /// those that are let in. What its client promises and does not send holds nothing. For one
  /// thread.
  public static final class Reading implements AutoCloseable {
    private final List<Gate> gates;
    private boolean hasBegun;
    private boolean isCounted;

    private Reading(List<Gate> gates) {
      this.gates = gates;
    }

    /// Called when its first bytes have come.
    ///
    /// @throws OverloadedException if meanwhile as many as allowed are in flight or about to be
    public void begin() {
      gates.forEach(Gate::requireRoom);
      hasBegun = true;
      count(true);
    }

    /// Called when it has to wait for its client, and when more of its bytes have come.
    public void waitForClient(boolean waits) {
      if (hasBegun) {
        count(!waits);
      }
    }

    private void count(boolean counts) {
      if (counts != isCounted) {
        isCounted = counts;
        gates.forEach(gate -> gate.arriving().addAndGet(counts ? 1 : -1));
      }
    }

    @Override
    public void close() {
      count(false);
    }
  }

  /// A request's place among those in flight, until it is closed.
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /// Takes a place for a whole request, or refuses it at once.
  ///
  /// @throws OverloadedException if as many as allowed are in flight
  public Place admit(String model) {
    Gate own = limits(model).gate();
    all.hold();
    try {
      own.hold();
    } catch (OverloadedException e) {
      all.leave();
      throw e;
    }
    return () -> {
      own.leave();
      all.leave();
    };
  }

  /// Whether a request of a model may be held up before it is read, until its rate allows it.
  public boolean holdsUp(String model) {
    return limits(model).rate() != null;
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
      throw new OverloadedException(OverloadedException.Reason.RESTING, why(model, breaker));
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

  /// Opens the breaker of a model whose device was lost.
  public void deviceLost(String model) {
    breaker(model).transitionToOpenState();
  }

  /// Closes the breaker of a model that is there again.
  public void deviceBack(String model) {
    breaker(model).transitionToClosedState();
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

  /// Whether so many further requests of a model, with so many bytes, would be let in now.
  public boolean hasRoom(String model, int requests, long bytes) {
    ModelLimits own = limits.get(model);
    return own == null
        ? all.hasPlaces(requests) && bodies.hasRoom(bytes)
        : all.hasPlaces(requests) && own.gate().hasPlaces(requests) && own.bodies().hasRoom(bytes);
  }

  /// The bytes of all bodies in flight.
  public ByteBudget bodies() {
    return bodies;
  }

  /// The bytes of a model's bodies in flight.
  public ByteBudget bodies(String model) {
    return limits(model).bodies();
  }

  /// How long a request of a model may wait for the device, in microseconds; 0 for any time.
  public long mostMicros(String model) {
    return limits(model).mostMicros();
  }

  /// Called when the device has worked on a request of a model.
  public void ran(String model) {
    limits(model).gate().pace().answered(System.nanoTime());
  }

  /// Tells the time limiter of a model how a request ended.
  ///
  /// @param inTime whether it reached the device before its time was over
  public void ended(String model, boolean inTime) {
    limits(model).ended(inTime);
  }
}
