package io.miniinference.service.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Listens to the log for what no client may cause: errors, and anything with a stack trace.
final class LoggedDefects extends AppenderBase<ILoggingEvent> {
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  void listen() {
    start();
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR) || isWarningWithTrace(event)) {
      first.compareAndSet(null, text(event));
    }
  }

  private static boolean isWarningWithTrace(ILoggingEvent event) {
    return event.getLevel() == Level.WARN && event.getThrowableProxy() != null;
  }

  private static String text(ILoggingEvent event) {
    String trace =
        event.getThrowableProxy() == null
            ? ""
            : ThrowableProxyUtil.asString(event.getThrowableProxy());
    return event.getLoggerName() + ": " + event.getFormattedMessage() + " " + trace;
  }

  /// Fails with what was logged since the last look.
  void check() {
    String line = first.getAndSet(null);
    if (line != null) {
      throw new AssertionError("logged: " + line);
    }
  }
}
