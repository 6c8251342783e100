package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.StoredModel;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.settings.ModelFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The argument MODEL: a file, a folder with a `model.onnx`, or the name of a bundled model.
final class ModelArgument {
  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "a .onnx file, a folder with a model.onnx, or the name of a bundled model")
  private String model = "";

  OnnxModel read() {
    Path file = file();
    return OnnxReader.read(name(file), file, ReadLimits.defaults());
  }

  /// What the files beside the model set for it.
  ///
  /// @throws io.miniinference.service.config.SettingsException if one cannot be understood
  ModelSettings settings() {
    Path file = file();
    var only = new ModelFile(name(file), "1", file);
    var stored = new StoredModel(only.name(), folder(file), List.of(only));
    return ModelFiles.of(stored, ModelSettings.none(), null).settings();
  }

  /* The one with its settings; null for a single `NAME.onnx`. */
  private static @Nullable Path folder(Path file) {
    if (!file.endsWith("model.onnx")) {
      return null;
    }
    Path folder = file.toAbsolutePath().normalize().getParent();
    return folder != null && isVersion(folder) ? folder.getParent() : folder;
  }

  private static boolean isVersion(Path folder) {
    return folder.getFileName() != null && folder.getFileName().toString().matches("[0-9]+");
  }

  private Path file() {
    Path path = Path.of(model);
    if (Files.isDirectory(path)) {
      return existing(path.resolve("model.onnx"));
    }
    if (Files.exists(path) || !BundledModels.names().contains(model)) {
      return existing(path);
    }
    return BundledModels.unpack(CacheFolder.ofUser()).find(model).map(ModelFile::path).orElse(path);
  }

  private Path existing(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          isPath()
              ? "there is no file '%s'".formatted(file)
              : "there is no model '%s'; bundled are %s".formatted(file, BundledModels.names()));
    }
    return file;
  }

  private boolean isPath() {
    return model.contains("/") || model.endsWith(".onnx");
  }

  /// The file's own name; for `model.onnx` that of its folder, and for `NAME/VERSION/model.onnx` of
  /// a repository the model's.
  private String name(Path file) {
    if (BundledModels.names().contains(model)) {
      return model;
    }
    String own = String.valueOf(file.getFileName());
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (!own.equals("model.onnx") || folder == null || folder.getFileName() == null) {
      return own.replaceFirst("\\.onnx$", "");
    }
    Path above = folder.getParent();
    if (isVersion(folder) && above != null && above.getFileName() != null) {
      return above.getFileName().toString();
    }
    return folder.getFileName().toString();
  }
}
