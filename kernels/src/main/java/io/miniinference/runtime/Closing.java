package io.miniinference.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Closes what belongs together although some of it fails to close, as on a device that was lost.
public final class Closing {
  private Closing() {}

  /// Closes all of them in their order, then throws what the first failure was, with the others
  /// suppressed.
  public static void all(List<? extends AutoCloseable> parts) {
    RuntimeException first = null;
    for (AutoCloseable part : parts) {
      first = closed(part, first);
    }
    if (first != null) {
      throw first;
    }
  }

  private static @Nullable RuntimeException closed(
      AutoCloseable part, @Nullable RuntimeException first) {
    try {
      part.close();
      return first;
    } catch (Exception e) {
      RuntimeException own = e instanceof RuntimeException r ? r : new IllegalStateException(e);
      if (first == null) {
        return own;
      }
      first.addSuppressed(own);
      return first;
    }
  }
}
