package io.miniinference.repository;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A folder of `NAME/VERSION/model.onnx`. The version with the highest number is the one served;
/// other folders beside it are left alone.
public final class ModelRepository {
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");

  private final Path folder;
  private final List<String> only;

  /// @throws RepositoryException if there is no such folder
  public ModelRepository(Path folder) {
    this(folder, List.of());
  }

  /// @param only names beside which nothing is served, all if empty
  ModelRepository(Path folder, List<String> only) {
    if (!Files.isDirectory(folder)) {
      throw new RepositoryException("The model repository '" + folder + "' is not a folder.");
    }
    this.folder = folder;
    this.only = List.copyOf(only);
  }

  public Path folder() {
    return folder;
  }

  /// The newest version of each model, by name.
  public List<ModelFile> models() {
    return children(folder)
        .filter(model -> only.isEmpty() || only.contains(name(model)))
        .flatMap(model -> newest(model).stream())
        .toList();
  }

  /// The newest version of one model.
  public Optional<ModelFile> find(String name) {
    return models().stream().filter(model -> model.name().equals(name)).findFirst();
  }

  private static Optional<ModelFile> newest(Path model) {
    return children(model)
        .filter(version -> VERSION.matcher(name(version)).matches())
        .filter(version -> Files.isRegularFile(version.resolve("model.onnx")))
        .max(Comparator.comparing(version -> new BigInteger(name(version))))
        .map(version -> new ModelFile(name(model), name(version), version.resolve("model.onnx")));
  }

  private static Stream<Path> children(Path parent) {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(Files::isDirectory).sorted().toList().stream();
    } catch (IOException e) {
      throw new RepositoryException("cannot list the model folder " + parent, e);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
