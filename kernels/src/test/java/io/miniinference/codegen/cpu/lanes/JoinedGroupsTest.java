package io.miniinference.codegen.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Groups of real networks, and such as fill no vectors.
final class JoinedGroupsTest {
  @ParameterizedTest
  @CsvSource({
    "32, 128, 128, 8, 16, 16", // ResNeXt
    "25, 400, 400, 25, 16, 16", // RegNetX
    "2, 48, 48, 1, 48, 48", // joined by twos
    "5, 240, 240, 5, 48, 48",
    "2, 64, 128, 2, 32, 64",
    "8, 64, 32, 2, 32, 16"
  })
  void groupsAreJoinedUntilTheyFillVectors(
      int groups, long inputs, long outputs, int joined, int read, int written) {
    assertThat(JoinedGroups.of(groups, inputs, outputs))
        .contains(new JoinedGroups(joined, read, written));
  }

  @ParameterizedTest
  @CsvSource({"3, 24, 24", "2, 24, 24", "4, 20, 12", "2, 20, 32", "64, 64, 128"})
  void othersAreNot(int groups, long inputs, long outputs) {
    assertThat(JoinedGroups.of(groups, inputs, outputs)).isEmpty();
  }
}
