package io.miniinference.service.serving;

import io.miniinference.runtime.LaunchObserver;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.RequestTimes;
import io.miniinference.service.trace.RequestSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The stages of an inference as spans of its request: `read`, `queue`, `input`, `compute` with a
/// `launch` for each of the device's, and `output`. Does nothing for a request of which nothing is
/// recorded.
final class InferenceTrace implements LaunchObserver {
  private static final InferenceTrace OFF = new InferenceTrace(null, 0);

  /// Launches of one request that become spans. A loop may make millions.
  private static final int MOST_LAUNCHES = 1000;

  private final @Nullable RequestSpan span;
  private final long begun;
  private final List<MadeLaunch> launches = new ArrayList<>();
  private long made;

  /// One launch, in the time of [System#nanoTime].
  private record MadeLaunch(String kernel, long from, long to) {}

  private InferenceTrace(@Nullable RequestSpan span, long begun) {
    this.span = span;
    this.begun = begun;
  }

  /// That of the request which the current thread serves.
  static InferenceTrace current(ServedModel served, long begun) {
    RequestSpan span = RequestSpan.current();
    if (span == null) {
      return OFF;
    }
    span.tag("model", served.name());
    span.tag("version", served.version());
    return new InferenceTrace(span, begun);
  }

  /// Wants to hear of launches if the request is recorded: they are waited for one by one then.
  @Nullable LaunchObserver observer() {
    return span == null ? null : this;
  }

  @Override
  public void launched(int launch, String kernel, long fromNanos, long toNanos) {
    made++;
    if (launches.size() < MOST_LAUNCHES) {
      launches.add(new MadeLaunch(kernel, fromNanos, toNanos));
    }
  }

  /// The request was read.
  void read() {
    if (span != null) {
      stage(span, "read", begun, System.nanoTime());
    }
  }

  /// The request ran, with others maybe.
  void ran(RequestTimes times, int rows) {
    if (span != null) {
      span.tag("rows", Integer.toString(rows));
      stage(span, "queue", times.entered(), times.input());
      stage(span, "input", times.input(), times.launched());
      compute(span, times);
      stage(span, "output", times.computed(), times.ended());
    }
  }

  private void compute(RequestSpan request, RequestTimes times) {
    RequestSpan compute = request.stage("compute", times.launched());
    compute.tag("launches", Long.toString(made));
    for (MadeLaunch launch : launches) {
      stage(compute, "launch " + launch.kernel(), launch.from(), launch.to());
    }
    compute.end(times.computed());
  }

  private static void stage(RequestSpan span, String name, long from, long to) {
    span.stage(name, from).end(to);
  }

  void ended(Outcome outcome) {
    if (span != null) {
      span.tag("outcome", outcome.name().toLowerCase(Locale.ROOT));
    }
  }
}
