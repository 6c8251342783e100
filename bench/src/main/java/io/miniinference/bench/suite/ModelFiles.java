package io.miniinference.bench.suite;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import java.nio.file.Path;
import java.util.List;

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

  /// The newest version of each model of a repository.
  private static List<ModelFile> in(Path folder) {
    List<ModelFile> all = new ModelRepository(folder).models();
    if (all.isEmpty()) {
      throw new BenchException(
          "no models in %s: neither NAME.onnx nor NAME/model.onnx nor NAME/VERSION/model.onnx"
              .formatted(folder));
    }
    return all;
  }
}
