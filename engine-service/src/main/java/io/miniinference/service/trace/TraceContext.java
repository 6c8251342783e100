package io.miniinference.service.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A place in a trace: the header `traceparent` of W3C's "Trace Context", level 1.
///
/// @param trace 32 hexadecimal digits
/// @param span 16 hexadecimal digits
/// @param flags 2 hexadecimal digits, of which the lowest bit says that the trace is recorded
public record TraceContext(String trace, String span, String flags) {
  /// The header's name in HTTP, and the key in gRPC's metadata.
  public static final String HEADER = "traceparent";

  private static final Pattern FORM =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final String VERSION = "00";
  private static final int LONGEST = 512;

  /// Reads a header; nothing if there is none, or a broken one, which the standard has ignored.
  public static Optional<TraceContext> of(@Nullable String header) {
    if (header == null || header.length() > LONGEST) {
      return Optional.empty();
    }
    Matcher matcher = FORM.matcher(header);
    boolean hasRest = matcher.matches() && matcher.group(4) != null;
    return matcher.matches() && !(hasRest && header.startsWith(VERSION))
        ? Optional.of(new TraceContext(matcher.group(1), matcher.group(2), matcher.group(3)))
        : Optional.empty();
  }

  /// A place of our own in the same trace.
  public TraceContext child() {
    long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    return new TraceContext(trace, HexFormat.of().toHexDigits(id), flags);
  }

  /// As it is sent.
  public String header() {
    return String.join("-", VERSION, trace, span, flags);
  }
}
