package io.miniinference.service.serving;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.Model;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.RequestTimes;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/// The meters of inference, by model: requests by outcome, waiting, time on the device, rows, in
/// flight, failures by kind. Their series are there from the moment that a model is loaded, so that
/// an alert can tell "none" from "unknown". The names `inference.*` are those of before, and go
/// with the next release.
@Component
final class InferenceMeters {
  private static final List<String> FAILURES = List.of("index_out_of_bounds", "division_by_zero");

  private final MeterRegistry registry;
  private final Map<String, AtomicInteger> inFlight = new ConcurrentHashMap<>();
  private final Map<Model, ModelTimers> timers = new ConcurrentHashMap<>();

  InferenceMeters(MeterRegistry registry, Catalog catalog) {
    this.registry = registry;
    catalog.onEntry(this::prepare);
  }

  private void prepare(CatalogEntry entry) {
    if (entry instanceof CatalogEntry.Ready ready) {
      timers(ready.name(), ready.version());
      FAILURES.forEach(kind -> failures(ready.name(), kind));
    }
  }

  private ModelTimers of(ServedModel served) {
    ModelTimers known = timers.get(served.model());
    if (known != null) {
      return known;
    }
    timers.keySet().removeIf(Model::isClosed);
    return timers.computeIfAbsent(served.model(), _ -> timers(served.name(), served.version()));
  }

  private ModelTimers timers(String model, String version) {
    Map<Outcome, Timer> requests = new EnumMap<>(Outcome.class);
    Map<Outcome, Timer> before = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      requests.put(outcome, requests(model, version, outcome));
      before.put(outcome, requestsBefore(model, version, outcome));
    }
    return new ModelTimers(
        requests,
        before,
        compute(model, version),
        registry.timer("inference.compute", "model", model, "version", version),
        queue(model),
        rows(model),
        inFlight(model));
  }

  private Timer requestsBefore(String model, String version, Outcome outcome) {
    return registry.timer(
        "inference.requests", "model", model, "version", version, "outcome", lower(outcome));
  }

  private Timer requests(String model, String version, Outcome outcome) {
    return Timer.builder("engine.requests")
        .description("requests from their first byte to their last, by outcome")
        .tags("model", model, "version", version, "outcome", lower(outcome))
        .register(registry);
  }

  private Timer compute(String model, String version) {
    return Timer.builder("engine.compute")
        .description("time of requests on the device")
        .tags("model", model, "version", version)
        .register(registry);
  }

  private Timer queue(String model) {
    return Timer.builder("engine.model.queue")
        .description("time that requests waited for their turn")
        .tag("model", model)
        .register(registry);
  }

  private Counter rows(String model) {
    return Counter.builder("engine.model.rows")
        .description("rows of answered requests")
        .tag("model", model)
        .register(registry);
  }

  private AtomicInteger inFlight(String model) {
    return inFlight.computeIfAbsent(
        model,
        name -> {
          var requests = new AtomicInteger();
          Gauge.builder("engine.model.inflight", requests, AtomicInteger::get)
              .description("requests that are read, wait or run")
              .tag("model", name)
              .register(registry);
          return requests;
        });
  }

  private Counter failures(String model, String kind) {
    return Counter.builder("engine.model.failures")
        .description("rows that failed by their own data, by kind")
        .tags("model", model, "kind", kind)
        .register(registry);
  }

  private static String lower(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  void begin(ServedModel served) {
    of(served).inFlight().incrementAndGet();
  }

  void end(ServedModel served) {
    of(served).inFlight().decrementAndGet();
  }

  void request(ServedModel served, Outcome outcome, long nanos) {
    ModelTimers timers = of(served);
    Objects.requireNonNull(timers.requests().get(outcome)).record(nanos, TimeUnit.NANOSECONDS);
    Objects.requireNonNull(timers.requestsBefore().get(outcome))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  void ran(ServedModel served, RequestTimes times, int rows) {
    ModelTimers timers = of(served);
    timers.compute().record(times.computeNanos(), TimeUnit.NANOSECONDS);
    timers.computeBefore().record(times.computeNanos(), TimeUnit.NANOSECONDS);
    timers.queue().record(times.queueNanos(), TimeUnit.NANOSECONDS);
    timers.rows().increment(rows);
  }

  void failures(ServedModel served, List<FailureReport> failures) {
    for (FailureReport failure : failures) {
      failures(served.name(), failure.kind()).increment();
      registry.counter("inference.failures", "kind", failure.kind()).increment();
    }
  }
}
