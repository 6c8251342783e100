package io.miniinference.bench.suite;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Signature;
import java.util.Map;

/// What is read of the files of models.
public final class ModelFiles {
  private ModelFiles() {}

  public static OnnxModel read(ModelFile file) {
    return OnnxReader.read(file.name(), file.path(), ReadLimits.defaults());
  }

  /// What a model is asked and answers.
  public static Signature signature(ModelFile file) {
    DeclaredTypes declared = DeclaredTypes.of(read(file), Map.of());
    return new Signature(file.name(), declared.inputs(), declared.outputs(), 1);
  }
}
