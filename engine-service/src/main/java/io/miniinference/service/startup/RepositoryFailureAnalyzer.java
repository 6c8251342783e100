package io.miniinference.service.startup;

import io.miniinference.repository.RepositoryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells why the service has no model repository.
final class RepositoryFailureAnalyzer extends AbstractFailureAnalyzer<RepositoryException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, RepositoryException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        cause.isForWantOfRights()
            ? RepositoryException.GIVE_RIGHTS
            : "Set engine.models.repository to a folder of NAME/VERSION/model.onnx, NAME/model.onnx or"
                + " NAME.onnx, or leave it out for the bundled models.",
        cause);
  }
}
