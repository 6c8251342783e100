package io.miniinference.service.inference;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.miniinference.service.observe.Observers;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;

/// Spring's observation of requests over HTTP, in place of the one that Spring Boot registers.
/// Where nothing but meters hears of observations, an inference is only timed, in the same meter:
/// an observation takes as long as a tenth of a small request.
@Component
@FilterRegistration(order = Ordered.HIGHEST_PRECEDENCE + 1)
final class InferenceObservation extends ServerHttpObservationFilter {
  private static final String METER = "http.server.requests";

  private final MeterRegistry meters;
  private final boolean isTimerEnough;
  private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

  InferenceObservation(
      ObservationRegistry observations,
      MeterRegistry meters,
      ObjectProvider<ObservationHandler<?>> handlers) {
    super(observations);
    this.meters = meters;
    isTimerEnough = Observers.areMetersAlone(handlers);
  }

  private record Kind(InferencePath.Pattern pattern, int status) {}

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return isTimerEnough && InferencePath.of(request) != null;
  }

  /// Tells of an inference that was answered, unless it is observed.
  void answered(InferencePath path, int status, long nanos) {
    if (isTimerEnough) {
      timers
          .computeIfAbsent(new Kind(path.pattern(), status), this::timer)
          .record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /* The tags of Spring's convention, since a meter's series have the same tags. */
  private Timer timer(Kind kind) {
    HttpStatus.Series series = HttpStatus.Series.resolve(kind.status);
    String outcome =
        series == null
            ? "UNKNOWN"
            : series == HttpStatus.Series.SUCCESSFUL ? "SUCCESS" : series.name();
    return Timer.builder(METER)
        .tags("error", "none", "exception", "none", "method", "POST", "outcome", outcome)
        .tags("status", Integer.toString(kind.status), "uri", kind.pattern.text())
        .register(meters);
  }
}
