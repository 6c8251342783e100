package io.miniinference.service.admission;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// What bounds the requests of one model, whatever becomes of the others.
///
/// @param rate how many may begin in a time; null for any
/// @param time how long one may wait for the device; null for any
record ModelLimits(
    Gate gate, ByteBudget bodies, @Nullable RateLimiter rate, @Nullable TimeLimiter time) {

  /// @throws OverloadedException if it is one too many in its time
  void countIn(String model) {
    if (rate != null && !rate.acquirePermission()) {
      throw new OverloadedException(
          OverloadedException.Reason.RATE,
          "more than %d requests in %d ms for model '%s' (resilience4j.ratelimiter): try again later"
              .formatted(
                  rate.getRateLimiterConfig().getLimitForPeriod(),
                  rate.getRateLimiterConfig().getLimitRefreshPeriod().toMillis(),
                  model));
    }
  }

  /// Longest wait for the device in microseconds; 0 for any.
  long mostMicros() {
    return time == null ? 0 : time.getTimeLimiterConfig().getTimeoutDuration().toNanos() / 1000;
  }

  /// Tells the time limiter how a request ended.
  void ended(boolean inTime) {
    if (time != null && inTime) {
      time.onSuccess();
    } else if (time != null) {
      time.onError(new TimeoutException("it did not reach the device in time"));
    }
  }
}
