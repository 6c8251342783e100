package example;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import java.nio.file.Path;

final class Choices {
  /** The scores of each row, on the JVM, with a pool of 64 MiB. */
  static float[] scores(Path folder, Tensor images) {
    EngineOptions onJvm = EngineOptions.defaults().withDevice("jvm").withPool(64 << 20);
    LoadOptions small = LoadOptions.defaults().withMaxBatch(32).withInstances(2);
    try (InferenceEngine engine = InferenceEngine.open(onJvm)) {
      InferenceModel model = engine.load("digits", folder, small);
      return model.run(images).floats();
    }
  }
}
