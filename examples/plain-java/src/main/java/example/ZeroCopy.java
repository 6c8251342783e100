package example;

import io.miniinference.engine.InferenceModel;
import io.miniinference.runtime.InferenceRequest;
import java.lang.foreign.ValueLayout;
import java.util.List;

final class ZeroCopy {
  /** The best class of each row, written into and read from the engine's staging memory. */
  static int[] classes(InferenceModel model, int rows, float brightness) {
    long[] shape = {rows, 1, 28, 28};
    InferenceRequest request =
        new InferenceRequest(
            List.of(shape),
            (input, staging) -> {
              for (long i = 0; i < staging.byteSize() / 4; i++) {
                staging.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, brightness);
              }
            });
    return model
        .runtime()
        .infer(
            request,
            outputs -> {
              int[] best = new int[rows];
              for (int row = 0; row < rows; row++) {
                float highest = Float.NEGATIVE_INFINITY;
                for (int k = 0; k < 10; k++) {
                  float score =
                      outputs
                          .getFirst()
                          .data()
                          .getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, row * 10 + k);
                  if (score > highest) {
                    highest = score;
                    best[row] = k;
                  }
                }
              }
              return best;
            });
  }
}
