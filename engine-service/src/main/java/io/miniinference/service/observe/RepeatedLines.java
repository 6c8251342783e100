package io.miniinference.service.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/// Lets some lines a minute through of each source that clients can make write as often as they
/// like: the servers of HTTP and gRPC, and what tells of failures while answering. How many were
/// left out is said with the next line that is let through.
final class RepeatedLines extends TurboFilter {
  static final int MOST = 10;
  static final long MINUTE_NANOS = 60_000_000_000L;

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(RepeatedLines.class);
  private static final String[] CAUSED_BY_CLIENTS = {
    "io.grpc.",
    "io.netty.",
    "org.apache.catalina.",
    "org.apache.coyote.",
    "org.apache.tomcat.",
    "org.springframework.web.",
    "org.springframework.boot.web.",
    "io.miniinference.service.serving.",
    "io.miniinference.service.inference."
  };

  private final LongSupplier nanos;

  /// By the names of loggers, of which there are few.
  private final Map<String, Source> sources = new ConcurrentHashMap<>();

  RepeatedLines(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// What was let through in the minute under way.
  private static final class Source {
    private final boolean limited;
    private long since;
    private int lines;
    private int leftOut;

    Source(String name, long now) {
      limited = Stream.of(CAUSED_BY_CLIENTS).anyMatch(name::startsWith);
      since = now;
    }

    /// Lines that were left out in the minute that is over with this one; -1 to leave it out, too.
    synchronized int enter(long now) {
      int missed = 0;
      if (now - since >= MINUTE_NANOS) {
        missed = leftOut;
        since = now;
        lines = 0;
        leftOut = 0;
      }
      if (lines < MOST) {
        lines++;
        return missed;
      }
      leftOut++;
      return -1;
    }
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] values,
      @Nullable Throwable error) {
    if (format == null || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL;
    }
    String name = logger.getName();
    Source source = sources.computeIfAbsent(name, it -> new Source(it, nanos.getAsLong()));
    return source.limited ? limited(name, source) : FilterReply.NEUTRAL;
  }

  private FilterReply limited(String name, Source source) {
    int missed = source.enter(nanos.getAsLong());
    if (missed > 0) {
      LOG.warn("{} lines of {} were left out: it writes {} a minute", missed, name, MOST);
    }
    return missed < 0 ? FilterReply.DENY : FilterReply.NEUTRAL;
  }
}
