package io.miniinference.spring;

import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.repository.RepositoryException;
import io.miniinference.runtime.LoadRefusedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/// Tells why an application does not start with its models, in the words of the engine and without
/// the stack of the beans that wanted them.
final class EngineFailureAnalyzer implements FailureAnalyzer {

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String action = action(cause);
      if (action != null) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), action, cause);
      }
    }
    return null;
  }

  private static @Nullable String action(Throwable cause) {
    return switch (cause) {
      case RepositoryException _ ->
          "Set engine.models.repository to a folder of models, or to one .onnx file. A path without"
              + " a leading / begins in the folder in which the application was started.";
      case NoSuchModelException _ ->
          "Name models as their folders in engine.models.repository are named, or leave"
              + " engine.models.names out for all of them.";
      case DeviceException _ ->
          "Choose another device with engine.device, engine.opencl.platform and"
              + " engine.opencl.device (engine.device=jvm needs no driver), or a smaller"
              + " engine.pool.capacity.";
      case LoadRefusedException _ ->
          "Set engine.pool.capacity higher, engine.batching.max-size lower, or name fewer models in"
              + " engine.models.names.";
      case ModelException _ -> "Export the model anew, or leave it out of engine.models.names.";
      default -> null;
    };
  }
}
