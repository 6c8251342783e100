package example;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import java.nio.file.Path;
import java.util.Map;

final class Digits {
  static float[] scores(Path file, float[] pixels) {
    try (InferenceEngine engine = InferenceEngine.open()) {
      InferenceModel model = engine.load(file);
      Tensor image = Tensor.of(pixels, 1, 1, 28, 28);
      Map<String, Tensor> answer = model.run(Map.of("Input3", image));
      return answer.get("Plus214_Output_0").floats();
    }
  }
}
