package io.miniinference.service.inference;

import io.miniinference.service.describe.Unoffered;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Pages that Triton, or KServe in V1, has and this service does not.
final class UnofferedPages {
  private static final Map<Pattern, Unoffered> PAGES = new LinkedHashMap<>();

  static {
    PAGES.put(Pattern.compile("/v2/(system|cuda)sharedmemory(/.*)?"), Unoffered.SHARED_MEMORY);
    PAGES.put(Pattern.compile("/v1/models/[^/]+:explain"), Unoffered.EXPLANATIONS);
    PAGES.put(Pattern.compile("/v2/logging"), Unoffered.LOG_SETTINGS);
    PAGES.put(Pattern.compile("/v2/(models/[^/]+/)?trace/setting"), Unoffered.TRACE_SETTINGS);
    PAGES.put(
        Pattern.compile("/v2/models/[^/]+/(versions/[^/]+/)?generate(_stream)?"), Unoffered.TEXTS);
  }

  private UnofferedPages() {}

  /// Why there is nothing at a path that clients of Triton know.
  static Optional<String> at(String path) {
    return PAGES.entrySet().stream()
        .filter(page -> page.getKey().matcher(path).matches())
        .map(page -> page.getValue().instead())
        .findFirst();
  }
}
