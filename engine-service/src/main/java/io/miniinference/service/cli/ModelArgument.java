package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.repository.StoredModel;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.settings.ModelFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The argument MODEL: a file, the folder of a model, or the name of a bundled model.
final class ModelArgument {
  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "a .onnx file, a folder with a model.onnx, or the name of a bundled model")
  private String model = "";

  OnnxModel read() {
    return found().read();
  }

  /// What the files beside the model set for it.
  ///
  /// @throws io.miniinference.service.config.SettingsException if one cannot be understood
  ModelSettings settings() {
    ModelFile only = found();
    var stored = new StoredModel(only.name(), folder(only.path()), List.of(only));
    return ModelFiles.of(stored, ModelSettings.none(), null).settings();
  }

  /* The one with its settings; null for a single `NAME.onnx`. */
  private @Nullable Path folder(Path file) {
    if (!file.endsWith("model.onnx") && !Files.isDirectory(Path.of(model))) {
      return null;
    }
    Path folder = file.toAbsolutePath().normalize().getParent();
    return folder != null && isVersion(folder) ? folder.getParent() : folder;
  }

  private static boolean isVersion(Path folder) {
    return folder.getFileName() != null && folder.getFileName().toString().matches("[0-9]+");
  }

  private ModelFile found() {
    Path path = Path.of(model);
    if (!Files.exists(path) && BundledModels.names().contains(model)) {
      return BundledModels.unpack(CacheFolder.ofUser()).find(model).orElseThrow();
    }
    ModelFile found = ModelFile.of(path);
    if (Files.isDirectory(path) && !Files.isRegularFile(found.path())) {
      throw new IllegalArgumentException(otherFolder(path));
    }
    requireFile(found.path());
    return found;
  }

  /* A repository, of which one model is meant, or a folder of something else. */
  private static String otherFolder(Path folder) {
    List<ModelFile> models = new ModelRepository(folder).models();
    return models.isEmpty()
        ? "the folder '%s' has neither a model.onnx nor another .onnx file".formatted(folder)
        : "the folder '%s' is a repository: give one of its models, such as %s"
            .formatted(folder, models.getFirst().path());
  }

  private void requireFile(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          isPath()
              ? "there is no file '%s'".formatted(file)
              : "there is no model '%s'; bundled are %s".formatted(file, BundledModels.names()));
    }
  }

  private boolean isPath() {
    return model.contains("/") || model.endsWith(".onnx");
  }
}
