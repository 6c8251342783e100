package io.miniinference.service.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which models are served where the pool does not hold all: it has room for sixteen of these.
final class RoomTest {
  private static final int ROOM = 16;

  private static List<String> leftOut(List<String> options, String... further) {
    String[] models =
        Stream.concat(
                IntStream.range(10, 9 + ROOM).mapToObj(i -> "m" + i + "/1"), Stream.of(further))
            .toArray(String[]::new);
    try (var service = new RepositoryService(options, models)) {
      return service.index().stream()
          .filter(line -> !line.endsWith(" READY"))
          .map(line -> line.substring(0, line.indexOf(' ')))
          .toList();
    }
  }

  @Test
  void ofModelsThatTakeEquallyMuchTheFirstByNameAreServed() {
    assertThat(leftOut(List.of(), "zeta/1")).isEmpty();
    assertThat(leftOut(List.of(), "zeta/1", "alpha/1")).containsExactly("zeta/1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--engine.models.required=zeta", "--engine.models.settings.zeta.required=true"})
  void aModelThatIsRequiredByItsNameHasRoomFirst(String option) {
    assertThat(leftOut(List.of(option), "zeta/1", "alpha/1")).containsExactly("m24/1");
  }

  @Test
  void theNewestVersionOfEachModelHasRoomBeforeOlderOnes() {
    assertThat(leftOut(List.of("--engine.models.required=zeta"), "zeta/1", "zeta/2", "zeta/3"))
        .containsExactly("zeta/1", "zeta/2");
  }
}
