package io.miniinference.bench.suite;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The models that a setting selects.
public final class ModelFiles {
  private ModelFiles() {}

  /// @throws BenchException if one is named that is not there
  public static List<ModelFile> of(Setting setting) {
    Path folder = setting.selection().repository();
    List<ModelFile> all = folder == null ? bundled(setting) : in(folder);
    List<String> wanted = setting.selection().models();
    List<String> known = all.stream().map(ModelFile::name).toList();
    if (!known.containsAll(wanted)) {
      throw new BenchException(
          "there are the models %s, and not all of %s".formatted(known, wanted));
    }
    return all.stream().filter(file -> wanted.isEmpty() || wanted.contains(file.name())).toList();
  }

  /// The models that come with the engine.
  public static List<ModelFile> bundled(Setting setting) {
    return BundledModels.unpack(setting.engine().cache()).models();
  }

  /// Those of a repository, `NAME/VERSION/model.onnx`, or of a folder of `NAME/model.onnx`, which
  /// is how test data lies.
  private static List<ModelFile> in(Path folder) {
    List<ModelFile> versioned = new ModelRepository(folder).models();
    return versioned.isEmpty() ? plain(folder) : versioned;
  }

  private static List<ModelFile> plain(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      return children
          .map(child -> child.resolve("model.onnx"))
          .filter(Files::isRegularFile)
          .map(file -> new ModelFile(name(file), "1", file))
          .sorted(Comparator.comparing(ModelFile::name))
          .toList();
    } catch (IOException e) {
      throw new BenchException("cannot list the folder " + folder, e);
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getName(file.getNameCount() - 2));
  }
}
