package io.miniinference.repository;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Files and folders of a repository by their names.
final class Listing {
  /// The usual name of a model's file.
  static final String FILE = "model.onnx";

  private static final String SUFFIX = ".onnx";

  private Listing() {}

  static boolean isModel(Path file) {
    return Files.isRegularFile(file) && name(file).endsWith(SUFFIX);
  }

  static boolean isAlmostModel(Path file) {
    return Files.isRegularFile(file)
        && !isModel(file)
        && name(file).toLowerCase(Locale.ROOT).endsWith(SUFFIX);
  }

  /// Where a link leads that leads to nothing.
  static Optional<String> dangling(Path path) {
    if (!Files.isSymbolicLink(path) || Files.exists(path)) {
      return Optional.empty();
    }
    try {
      return Optional.of("a link to " + Files.readSymbolicLink(path) + ", which is not there");
    } catch (IOException e) {
      return Optional.of("a link to what is not there");
    }
  }

  /// Of systems and tools: `lost+found`, `.git`, and what Kubernetes puts into its volumes.
  static boolean isHidden(Path path) {
    return name(path).startsWith(".") || name(path).equals("lost+found");
  }

  /// What lies in a folder within the repository, which may be another's, such as that of a file
  /// system.
  static List<Path> readable(Path parent) {
    return Files.isDirectory(parent) && Files.isReadable(parent) ? children(parent) : List.of();
  }

  /// What lies in a folder, by name.
  ///
  /// @throws RepositoryException if it cannot be read
  static List<Path> children(Path parent) {
    try (Stream<Path> all = Files.list(parent)) {
      return all.sorted().toList();
    } catch (AccessDeniedException e) {
      throw new RepositoryException("this process may not read the model folder " + parent, e);
    } catch (IOException e) {
      throw new RepositoryException("cannot list the model folder " + parent, e);
    }
  }

  static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /// A file's name without its ending.
  static String stem(Path file) {
    String name = name(file);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
