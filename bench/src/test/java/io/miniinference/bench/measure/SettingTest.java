package io.miniinference.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.testing.TestModel;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SettingTest {
  private static final OnnxModel OPEN =
      TestModel.opset(17).floats("x", "N,length").node("Relu", "x", "y").output("y").read("open");

  private static final OnnxModel FIXED =
      TestModel.opset(17).floats("x", "N,4").node("Relu", "x", "y").output("y").read("fixed");

  @Test
  void sizesAreForThoseOfAFolderThatHaveTheDimension() {
    Setting folder = Settings.of("--models=folder", "--dim=length=8");
    assertThat(folder.loadOptions(OPEN, 2).dimensions()).isEqualTo(Map.of("length", 8L));
    assertThat(folder.loadOptions(FIXED, 2).dimensions()).isEmpty();

    Setting one = Settings.of("--dim=length=8");
    assertThat(one.loadOptions(FIXED, 2).dimensions())
        .as("which is then refused by name")
        .isEqualTo(Map.of("length", 8L));
  }

  @Test
  void modelsThatASuiteMakesMayBeSelected() {
    Setting setting = Settings.of("--model=made");
    assertThat(setting.models(Set.of("made"))).isEmpty();
    assertThat(setting.selects("made")).isTrue();
  }
}
