package io.miniinference.service.settings;

import io.miniinference.onnx.Quote;
import java.util.Optional;
import java.util.Set;

/// The backends of Triton that a configuration may be for: ONNX Runtime's models are served, those
/// of others are not.
final class Backends {
  /// ONNX Runtime, under its names as a backend and as a platform; Triton finds out what an empty
  /// one stands for.
  private static final Set<String> OWN =
      Set.of("", "onnxruntime", "onnxruntime_onnx", "onnxv1", "onnx_onnxv1");

  private static final String ENSEMBLE = "ensemble";

  private Backends() {}

  /// Why the model of a configuration is not served, in words that follow its name; empty if it is.
  ///
  /// @param source of the configuration, as messages name it
  static String whyForeign(String source, TextMessage config) {
    if (config.has("ensemble_scheduling") || foreign("platform", config).equals(ENSEMBLE)) {
      return source
          + " makes it an ensemble, and ensembles are not run: have clients call its steps, or join"
          + " them in one graph";
    }
    return Optional.of(foreign("backend", config))
        .filter(name -> !name.isEmpty())
        .or(() -> Optional.of(foreign("platform", config)).filter(name -> !name.isEmpty()))
        .map(name ->
            "%s is for the backend %s, and only ONNX models are served"
                .formatted(source, Quote.of(name)))
        .orElse("");
  }

  /* The backend or platform that a field names; empty if it is that of ONNX models. */
  private static String foreign(String field, TextMessage config) {
    return config.scalar(field).filter(name -> !OWN.contains(name)).orElse("");
  }
}
