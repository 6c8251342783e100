package io.miniinference.service.serving;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.miniinference.runtime.FailureReport;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.RequestTimes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  InferenceMeters(MeterRegistry registry, Catalog catalog) {
    this.registry = registry;
    catalog.onEntry(this::prepare);
  }

  private void prepare(CatalogEntry entry) {
    if (entry instanceof CatalogEntry.Ready ready) {
      for (Outcome outcome : Outcome.values()) {
        requests(ready.name(), ready.version(), outcome);
      }
      compute(ready.name(), ready.version());
      queue(ready.name());
      rows(ready.name());
      inFlight(ready.name());
      FAILURES.forEach(kind -> failures(ready.name(), kind));
    }
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
    inFlight(served.name()).incrementAndGet();
  }

  void end(ServedModel served) {
    inFlight(served.name()).decrementAndGet();
  }

  void request(ServedModel served, Outcome outcome, long nanos) {
    Duration time = Duration.ofNanos(nanos);
    requests(served.name(), served.version(), outcome).record(time);
    registry
        .timer(
            "inference.requests",
            "model",
            served.name(),
            "version",
            served.version(),
            "outcome",
            lower(outcome))
        .record(time);
  }

  void ran(ServedModel served, RequestTimes times, int rows) {
    Duration time = Duration.ofNanos(times.computeNanos());
    compute(served.name(), served.version()).record(time);
    queue(served.name()).record(Duration.ofNanos(times.queueNanos()));
    rows(served.name()).increment(rows);
    registry
        .timer("inference.compute", "model", served.name(), "version", served.version())
        .record(time);
  }

  void failures(ServedModel served, List<FailureReport> failures) {
    for (FailureReport failure : failures) {
      failures(served.name(), failure.kind()).increment();
      registry.counter("inference.failures", "kind", failure.kind()).increment();
    }
  }
}
