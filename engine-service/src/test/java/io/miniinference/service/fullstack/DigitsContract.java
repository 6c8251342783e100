package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The MNIST test images over HTTP: as many right answers as the models were trained to give. The
/// smallest margin between first and second class is 0.004, so that the counts are exact.
interface DigitsContract {
  int IMAGES_A_REQUEST = 250;

  /// Right answers by model, and by the number of images taken from the start of the test set.
  Map<Bundled, Map<Integer, Integer>> RIGHT =
      Map.of(
          Bundled.CNN, Map.of(2_000, 1_982, 10_000, 9_916),
          Bundled.MLP, Map.of(2_000, 1_957, 10_000, 9_852),
          Bundled.DEEP, Map.of(2_000, 1_978, 10_000, 9_932));

  RunningService service();

  /// How many images are sent: 2,000 or 10,000.
  int images();

  @ParameterizedTest
  @EnumSource(names = {"CNN", "MLP", "DEEP"})
  @Tag("data")
  default void theTestImagesGiveTheKnownNumberOfRightAnswers(Bundled model) {
    Digits digits = Digits.read();
    List<Integer> wrong = new ArrayList<>();

    for (int first = 0; first < images(); first += IMAGES_A_REQUEST) {
      var answer =
          model.infer(service().client(), IMAGES_A_REQUEST, digits.json(first, IMAGES_A_REQUEST));
      float[] scores = Bundled.values(answer);
      assertThat(scores).hasSize(IMAGES_A_REQUEST * 10);
      for (int row = 0; row < IMAGES_A_REQUEST; row++) {
        if (Bundled.best(scores, row) != digits.label(first + row)) {
          wrong.add(first + row);
        }
      }
    }

    assertThat(images() - wrong.size())
        .as("right answers among %d images; wrong: %s", images(), wrong)
        .isEqualTo(RIGHT.getOrDefault(model, Map.of()).get(images()));
  }
}
