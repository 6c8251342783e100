package io.miniinference.codegen.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Groups of real networks, and such as fill no vectors.
final class GroupWindowsTest {
  @ParameterizedTest
  @CsvSource({
    "32, 128, 128, 16, 16", // ResNeXt
    "25, 400, 400, 16, 16", // RegNetX
    "4, 136, 136, 32, 72", // ShuffleNet
    "2, 96, 256, 32, 48", // AlexNet
    "2, 48, 48, 32, 48",
    "2, 64, 128, 32, 32",
    "8, 64, 32, 16, 32",
    "3, 24, 24, 32, 24",
    "1, 20, 40, 32, 20"
  })
  void windowsAreOfTheGroupsOfTheirVectors(
      int groups, long inputs, long outputs, int lanes, int width) {
    GroupWindows windows = GroupWindows.of(groups, inputs, outputs).orElseThrow();

    assertThat(windows.lanes()).isEqualTo(lanes);
    assertThat(windows.width()).isEqualTo(width);
  }

  /// Each output's own input channels lie in the window that it is given, and windows in the input.
  @ParameterizedTest
  @CsvSource({"4, 136, 136", "4, 272, 272", "5, 100, 35", "3, 240, 60", "7, 91, 350", "2, 20, 32"})
  void windowsHoldTheirGroupsAndNothingBehindTheInput(int groups, int inputs, int outputs) {
    IntStream.of(16, 32)
        .mapToObj(lanes -> GroupWindows.of(groups, inputs, outputs, lanes).orElseThrow())
        .forEach(windows -> {
          for (int output = 0; output < outputs; output++) {
            int first = windows.first(output / windows.lanes());
            int own = output / (outputs / groups) * (inputs / groups);
            assertThat(first % 16).isZero();
            assertThat(own).isGreaterThanOrEqualTo(first);
            assertThat(own + inputs / groups).isLessThanOrEqualTo(first + windows.width());
            assertThat(first + windows.width()).isLessThanOrEqualTo(inputs);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"64, 64, 128, 16", "200, 200, 400, 16"})
  void aVectorOfTooManyGroupsHasNone(int groups, long inputs, long outputs, int lanes) {
    assertThat(GroupWindows.of(groups, inputs, outputs, 4 * lanes)).isEmpty();
  }
}
