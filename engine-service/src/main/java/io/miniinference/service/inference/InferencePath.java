package io.miniinference.service.inference;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The path of a request for an inference, in V2 or V1.
///
/// @param pattern what metrics and traces call it
/// @param version null for the one that is served
record InferencePath(Pattern pattern, String model, @Nullable String version) {
  private static final String V2 = "/v2/models/";
  private static final String V1 = "/v1/models/";
  private static final String INFER = "/infer";
  private static final String PREDICT = ":predict";
  private static final String VERSIONS = "/versions/";

  /// The kinds of paths.
  enum Pattern {
    V2_INFER("/v2/models/{model}/infer"),
    V2_INFER_VERSION("/v2/models/{model}/versions/{version}/infer"),
    V1_PREDICT("/v1/models/{model}:predict");

    private final String text;

    Pattern(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /// That of a request, null if it asks for something else.
  static @Nullable InferencePath of(HttpServletRequest request) {
    return request.getMethod().equals("POST") ? of(request.getServletPath()) : null;
  }

  /// The parts of a decoded path, null if it is another one.
  static @Nullable InferencePath of(String path) {
    if (path.startsWith(V2) && path.endsWith(INFER)) {
      return v2(path.substring(V2.length(), Math.max(V2.length(), path.length() - INFER.length())));
    }
    if (path.startsWith(V1) && path.endsWith(PREDICT)) {
      String model = path.substring(V1.length(), path.length() - PREDICT.length());
      return isName(model) ? new InferencePath(Pattern.V1_PREDICT, model, null) : null;
    }
    return null;
  }

  private static @Nullable InferencePath v2(String named) {
    if (isName(named)) {
      return new InferencePath(Pattern.V2_INFER, named, null);
    }
    int at = named.indexOf(VERSIONS);
    if (at < 0) {
      return null;
    }
    String model = named.substring(0, at);
    String version = named.substring(at + VERSIONS.length());
    return isName(model) && isName(version)
        ? new InferencePath(Pattern.V2_INFER_VERSION, model, version)
        : null;
  }

  private static boolean isName(String name) {
    return !name.isEmpty() && name.indexOf('/') < 0;
  }
}
