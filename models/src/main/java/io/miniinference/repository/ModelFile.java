package io.miniinference.repository;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A model's file in a repository.
///
/// @param version a number
public record ModelFile(String name, String version, Path path) {

  /// A model by itself: a file, or the folder of a model, of which the newest version is taken. A
  /// file that is called as all are, `model.onnx`, has the name of its folder, or of the one above
  /// if that is a version; any other has its own. Where there is none, so is that of what is given.
  public static ModelFile of(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    return inFolder(whole).orElseGet(() -> file(path, whole));
  }

  private static Optional<ModelFile> inFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    return ModelFolder.read(folder, modelOf(folder), FolderRules.none())
        .stored()
        .map(StoredModel::newest);
  }

  private static ModelFile file(Path path, Path whole) {
    String own = Listing.name(whole);
    Path folder = whole.getParent();
    String name =
        own.equals(Listing.FILE) && folder != null && folder.getFileName() != null
            ? modelOf(folder)
            : own.replaceFirst("\\.onnx$", "");
    return new ModelFile(name, ModelFolder.FIRST.toString(), path);
  }

  /// The same under another name.
  ModelFile named(String other) {
    return new ModelFile(other, version, path);
  }

  /* The model whose folder, or that of one of its versions, this is. */
  private static String modelOf(Path folder) {
    Path above = folder.getParent();
    return ModelFolder.isVersion(folder) && above != null && above.getFileName() != null
        ? Listing.name(above)
        : Listing.name(folder);
  }

  /// What it says, if it is within the usual limits.
  public OnnxModel read() {
    return OnnxReader.read(name, path, ReadLimits.defaults());
  }
}
