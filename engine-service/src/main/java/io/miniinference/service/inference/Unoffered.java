package io.miniinference.service.inference;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Pages that Triton has and this service does not, with what to do instead: a client that asks for
/// them is told more than that there is nothing.
final class Unoffered {
  private static final Map<Pattern, String> PAGES = new LinkedHashMap<>();

  static {
    PAGES.put(
        Pattern.compile("/v2/(system|cuda)sharedmemory(/.*)?"),
        "shared memory is not supported: send tensors in requests, as binary data");
    PAGES.put(
        Pattern.compile("/v2/logging"),
        "the log is not set over the API: set the properties logging.level.*");
    PAGES.put(
        Pattern.compile("/v2/(models/[^/]+/)?trace/setting"),
        "traces are not set over the API: set the properties management.tracing.* and"
            + " management.opentelemetry.*");
    PAGES.put(
        Pattern.compile("/v2/models/[^/]+/(versions/[^/]+/)?generate(_stream)?"),
        "texts are not generated here: tensors are sent to /v2/models/NAME/infer");
  }

  private Unoffered() {}

  /// Why there is nothing at a path that clients of Triton know.
  static Optional<String> at(String path) {
    return PAGES.entrySet().stream()
        .filter(page -> page.getKey().matcher(path).matches())
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
