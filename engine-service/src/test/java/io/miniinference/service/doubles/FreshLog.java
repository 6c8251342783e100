package io.miniinference.service.doubles;

import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemProperty;

/// The log as a start of the process finds it, whatever earlier tests in the same JVM have set, and
/// though contexts of theirs are still open: without, Spring takes it for set up, and leaves it.
public final class FreshLog {
  private FreshLog() {}

  /// Forgets all settings.
  ///
  /// @return the log, for those who set it up themselves
  public static LoggingSystem forget() {
    for (LoggingSystemProperty setting : LoggingSystemProperty.values()) {
      System.clearProperty(setting.getEnvironmentVariableName()); // such as that of structured logs
    }
    LoggingSystem logging = LoggingSystem.get(FreshLog.class.getClassLoader());
    logging.cleanUp();
    return logging;
  }
}
