package io.miniinference.service.trace;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The identity that a client gives a request (`X-Request-ID`), which log lines and the answer
/// repeat. One that could break a line of a log is left out.
public final class RequestId {
  /// The header that has it, of a request and of its answer.
  public static final String HEADER = "X-Request-ID";

  private static final Pattern HARMLESS = Pattern.compile("[\\w.:/+=@-]{1,128}");

  private RequestId() {}

  static @Nullable String of(@Nullable String header) {
    return header != null && HARMLESS.matcher(header).matches() ? header : null;
  }
}
