package io.miniinference.service.serving;

import io.micrometer.core.instrument.MeterRegistry;
import io.miniinference.runtime.FailureReport;
import io.miniinference.service.catalog.ServedModel;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.stereotype.Component;

/// The meters of inference: requests by outcome, time on the device, failures by kind.
@Component
final class InferenceMeters {
  private final MeterRegistry registry;

  InferenceMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  void request(ServedModel served, Outcome outcome, long nanos) {
    registry
        .timer(
            "inference.requests",
            "model",
            served.name(),
            "version",
            served.version(),
            "outcome",
            outcome.name().toLowerCase(Locale.ROOT))
        .record(Duration.ofNanos(nanos));
  }

  void compute(ServedModel served, long nanos) {
    registry
        .timer("inference.compute", "model", served.name(), "version", served.version())
        .record(Duration.ofNanos(nanos));
  }

  void failures(List<FailureReport> failures) {
    failures.forEach(
        failure -> registry.counter("inference.failures", "kind", failure.kind()).increment());
  }
}
