package io.miniinference.service.grpc;

import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The unary calls whose message has not come to its end. Once a second it ends those that take too
/// long or come at too few bytes a second, as bodies over HTTP are ended.
@Component
final class SlowCalls implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

  private final Set<ArrivingBytes> arriving = ConcurrentHashMap.newKeySet();
  private final Pace pace;
  private final Thread looking = Thread.ofVirtual().name("slow-calls").unstarted(this::look);

  SlowCalls(EngineProperties properties) {
    EngineProperties.Http http = properties.http();
    pace = new Pace(http.bodyTimeout(), http.bodyMinRate().toBytes());
    looking.start();
  }

  /// How fast messages must come.
  ///
  /// @param longest time of a whole message
  /// @param leastBytesPerSecond after the first seconds
  record Pace(Duration longest, long leastBytesPerSecond) {
    /// What is wrong with a message that is not whole, or null.
    ///
    /// @param nanos since its call began
    /// @param bytes that have come
    @Nullable String complaint(long nanos, long bytes) {
      if (nanos > longest.toNanos()) {
        return "the request's message took longer than %d ms (engine.http.body-timeout)"
            .formatted(longest.toMillis());
      }
      return nanos > GRACE_NANOS && bytes < leastBytesPerSecond * (nanos / 1e9)
          ? "the request's message came at less than %d bytes a second (engine.http.body-min-rate)"
              .formatted(leastBytesPerSecond)
          : null;
    }
  }

  void add(ArrivingBytes call) {
    arriving.add(call);
  }

  void remove(ArrivingBytes call) {
    arriving.remove(call);
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        long now = System.nanoTime();
        arriving.forEach(call -> call.check(now, pace));
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  @Override
  public void close() {
    looking.interrupt();
  }
}
