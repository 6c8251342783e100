package io.miniinference.spring;

import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.repository.RepositoryException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/// Tells why an application does not start with its models, in the words of the engine and without
/// the stack of the beans that wanted them.
final class EngineFailureAnalyzer implements FailureAnalyzer {
  private static final String SETTINGS = "engine.models.settings.";

  /// What the reasons say of a file that is not what was exported.
  private static final List<String> DAMAGES =
      List.of("is truncated", "is damaged", "is empty", "is not an ONNX model", "unpack it");

  private final Environment environment;

  EngineFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

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

  private @Nullable String action(Throwable cause) {
    return switch (cause) {
      case RepositoryException unreadable when unreadable.isForWantOfRights() ->
          RepositoryException.GIVE_RIGHTS;
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
      case ConfiguredModelException configured -> configured.action();
      case InvalidRequestException _ ->
          "Correct the sizes of engine.models.settings.NAME.prepare, which the reason names.";
      case ModelException model -> actionFor(model);
      default -> null;
    };
  }

  /* By what the reason says: a setting, or the file. */
  private String actionFor(ModelException model) {
    String reason = String.valueOf(model.getMessage());
    if (reason.contains(SETTINGS)) {
      return "Correct that setting, or leave it out.";
    }
    String file = file(model.subject());
    if (reason.contains("git lfs pull")) {
      return "Run git lfs pull in the repository of " + file + ".";
    }
    return DAMAGES.stream().anyMatch(reason::contains)
        ? "Replace " + file + " by the model's file, whole and as it was exported."
        : "Export the model anew, which is %s, or leave it out of engine.models.names."
            .formatted(file);
  }

  private String file(String model) {
    return ConfiguredModels.files(
            Binder.get(environment).bindOrCreate("engine", EngineProperties.class))
        .stream()
        .filter(file -> file.name().equals(model))
        .findFirst()
        .map(file -> file.path().toAbsolutePath().toString())
        .orElse("'" + model + "'");
  }
}
