package io.miniinference.bench.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.runtime.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tiny run of what ways of planning mean for time.
final class PlanningSuiteTest {
  @Test
  void aModelIsTimedWithAndWithoutSharedMemory(@TempDir Path cache) {
    var selection = new Setting.Selection(null, List.of("mnist-mlp"), List.of(1, 4));
    var setting =
        new Setting(EngineOptions.defaults(cache), selection, 2, "no-python", true, _ -> {})
            .onJvm();

    SuiteResult result = PlanningSuite.sharing().run(setting).orElseThrow();

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .hasSize(2)
        .allMatch(figure -> figure.subject().equals("sharing"))
        .allMatch(figure -> figure.peer().equals("memory for each"));
    assertThat(result.notes())
        .singleElement()
        .asString()
        .startsWith("sharing / memory for each over 2 figures: geometric mean ");
  }
}
