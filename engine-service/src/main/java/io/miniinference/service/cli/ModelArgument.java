package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.CacheFolder;
import java.nio.file.Files;
import java.nio.file.Path;
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
    boolean version = folder.getFileName().toString().matches("[0-9]+");
    if (version && above != null && above.getFileName() != null) {
      return above.getFileName().toString();
    }
    return folder.getFileName().toString();
  }
}
