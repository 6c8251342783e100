package io.miniinference.service.startup;

import io.miniinference.service.catalog.NoModelException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells that there is nothing to serve.
final class NoModelFailureAnalyzer extends AbstractFailureAnalyzer<NoModelException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, NoModelException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Set engine.models.repository to a folder of NAME/VERSION/model.onnx, engine.models.names to"
            + " models in it, and engine.pool.capacity to what ./mie plan MODEL says they need.",
        cause);
  }
}
