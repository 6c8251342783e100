package io.miniinference.service.startup;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells which property does not name a port.
final class WrongPortFailureAnalyzer extends AbstractFailureAnalyzer<WrongPortException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, WrongPortException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), "Correct the value.", cause);
  }
}
