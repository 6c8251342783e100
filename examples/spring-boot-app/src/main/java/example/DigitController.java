package example;

import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes 28 rows of 28 pixels from 0 (paper) to 1 (ink) and tells the digit. */
@RestController
class DigitController {
  private final InferenceModel digits;

  DigitController(@Qualifier("mnist-cnn") InferenceModel digits) {
    this.digits = digits;
  }

  @PostMapping("/digit")
  Map<String, Integer> digit(@RequestBody float[] pixels) {
    float[] scores = digits.run(Tensor.of(pixels, 1, 1, pixels.length / 28, 28)).floats();
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return Map.of("digit", best);
  }
}
