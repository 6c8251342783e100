package io.miniinference.bench.suite;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.runtime.Signature;
import java.util.List;
import java.util.Map;

/// The models that a setting selects.
public final class ModelFiles {
  private ModelFiles() {}

  /// The newest version of each model.
  ///
  /// @throws BenchException if there is none, or one is named that is not there
  public static List<ModelFile> of(Setting setting) {
    ModelRepository repository = setting.repository();
    List<ModelFile> all = repository.models();
    List<String> known = all.stream().map(ModelFile::name).toList();
    if (known.isEmpty()) {
      throw new BenchException(
          "no models in %s: neither NAME.onnx nor NAME/model.onnx nor NAME/VERSION/model.onnx"
              .formatted(repository.folder()));
    }
    if (!known.containsAll(setting.named())) {
      throw new BenchException(
          "there are the models %s, and not all of %s".formatted(known, setting.named()));
    }
    return all.stream().filter(file -> setting.selects(file.name())).toList();
  }

  public static OnnxModel read(ModelFile file) {
    return OnnxReader.read(file.name(), file.path(), ReadLimits.defaults());
  }

  /// What a model is asked and answers.
  public static Signature signature(ModelFile file) {
    DeclaredTypes declared = DeclaredTypes.of(read(file), Map.of());
    return new Signature(file.name(), declared.inputs(), declared.outputs(), 1);
  }
}
