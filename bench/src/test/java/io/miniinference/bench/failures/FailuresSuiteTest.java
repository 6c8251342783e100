package io.miniinference.bench.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.runtime.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tiny run of what checks cost.
@Tag("opencl")
final class FailuresSuiteTest {
  @Test
  void modelsAreTimedWithAndWithoutChecks(@TempDir Path cache) {
    var selection = new Setting.Selection(null, List.of(), List.of(2));
    var setting =
        new Setting(EngineOptions.defaults(cache), selection, 2, "no-python", true, _ -> {});

    SuiteResult result = new FailuresSuite().run(setting).orElseThrow();

    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons())
        .hasSize(15)
        .allMatch(figure -> figure.subject().equals("checks on"))
        .allMatch(figure -> figure.peer().equals("checks off"));
    assertThat(result.notes())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("checks on / checks off over 15 figures: geometric mean ");
  }
}
