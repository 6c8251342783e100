package example;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.spring.test.InferenceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The model alone, on the JVM. */
@InferenceTest(names = "mnist-cnn")
class DigitModelTest {
  @Autowired InferenceModel digits;

  @Test
  void aSevenHasTheHighestScore() {
    float[] scores = digits.run(Tensor.of(Seven.pixels(), 1, 1, 28, 28)).floats();

    assertThat(scores).hasSize(10);
    for (float score : scores) {
      assertThat(scores[7]).isGreaterThanOrEqualTo(score);
    }
  }
}
