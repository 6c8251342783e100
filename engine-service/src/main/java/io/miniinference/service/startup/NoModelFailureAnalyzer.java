package io.miniinference.service.startup;

import io.miniinference.service.catalog.NoModelException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells that there is nothing to serve. What was refused was refused with what to do.
final class NoModelFailureAnalyzer extends AbstractFailureAnalyzer<NoModelException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, NoModelException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        cause.isOfNothing()
            ? "Set engine.models.repository to a folder of NAME/VERSION/model.onnx, NAME/model.onnx or"
                + " NAME.onnx, or leave it out for the bundled models. With engine.repository.token or"
                + " engine.repository.poll the service starts without a model, and waits for some."
            : null,
        cause);
  }
}
