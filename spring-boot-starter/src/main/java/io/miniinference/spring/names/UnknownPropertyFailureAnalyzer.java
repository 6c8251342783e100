package io.miniinference.spring.names;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells which properties there are not.
final class UnknownPropertyFailureAnalyzer
    extends AbstractFailureAnalyzer<UnknownPropertyException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertyException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Correct the name, or leave the property out. A model's name with dots stands in brackets:"
            + " engine.models.settings[NAME].dimensions.SYMBOL.",
        cause);
  }
}
