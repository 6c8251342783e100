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
  private static final String ENDING = ".onnx";
  private static final String MODEL = "model" + ENDING;

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

  /// Those of a repository, `NAME/VERSION/model.onnx`, of the ONNX test layout, `NAME/model.onnx`,
  /// and of plain files, `NAME.onnx`.
  private static List<ModelFile> in(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      Stream<ModelFile> versioned = new ModelRepository(folder).models().stream();
      List<ModelFile> all =
          Stream.concat(versioned, children.flatMap(ModelFiles::plain))
              .sorted(Comparator.comparing(ModelFile::name))
              .toList();
      if (all.isEmpty()) {
        throw new BenchException(
            "no models in %s: neither NAME.onnx nor NAME/model.onnx nor NAME/VERSION/model.onnx"
                .formatted(folder));
      }
      return all;
    } catch (IOException e) {
      throw new BenchException("cannot list the folder " + folder, e);
    }
  }

  private static Stream<ModelFile> plain(Path child) {
    String name = String.valueOf(child.getFileName());
    Path inside = child.resolve(MODEL);
    if (Files.isRegularFile(inside)) {
      return Stream.of(new ModelFile(name, "1", inside));
    }
    return name.endsWith(ENDING) && Files.isRegularFile(child)
        ? Stream.of(new ModelFile(name.substring(0, name.length() - ENDING.length()), "1", child))
        : Stream.of();
  }
}
