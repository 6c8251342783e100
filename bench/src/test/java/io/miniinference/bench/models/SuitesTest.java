package io.miniinference.bench.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.runtime.EngineOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole suites with tiny slices.
final class SuitesTest {
  @TempDir Path cache;
  private final List<String> said = new ArrayList<>();

  @Test
  void theJvmIsTimedBesideOnnxRuntime() {
    SuiteResult result = run(new JvmSuite(), "opencl", List.of("mnist-cnn", "number-words"));

    assertThat(result.device().kind()).isEqualTo("JVM");
    assertThat(result.problems()).isEmpty();
    assertThat(result.measurements())
        .extracting(Measurement::unit)
        .containsOnly(Unit.MICROSECONDS, Unit.IMAGES_PER_SECOND);
    assertThat(result.comparisons())
        .hasSize(2)
        .allMatch(figure -> figure.peer().startsWith("ONNX Runtime"))
        .allMatch(figure -> figure.ratio().pairs() == 3);
    assertThat(said).contains("mnist-cnn: batch 2");
  }

  @Test
  void modelsOnTheJvmTellTheirArenas() {
    SuiteResult result = run(new ModelsSuite(), "jvm", List.of("mnist-mlp"));

    assertThat(result.measurements())
        .filteredOn(figure -> figure.unit() == Unit.ARENA_BYTES)
        .singleElement()
        .satisfies(figure -> assertThat(figure.spread().median()).isPositive());
  }

  @Test
  @Tag("opencl")
  void modelsOnOpenClAreTimedBesideOnnxRuntime() {
    SuiteResult result = run(new ModelsSuite(), "opencl", List.of("mnist-mlp"));

    assertThat(result.device().kind()).isEqualTo("OPENCL_CPU");
    assertThat(result.problems()).isEmpty();
    assertThat(result.comparisons()).extracting(Comparison::name).containsExactly("mnist-mlp");
  }

  @Test
  void aModelThatIsNotThereIsToldWithThoseThatAre() {
    assertThatThrownBy(() -> run(new ModelsSuite(), "jvm", List.of("mnist-xyz")))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("mnist-cnn")
        .hasMessageContaining("mnist-xyz");
  }

  private SuiteResult run(Suite suite, String device, List<String> models) {
    EngineOptions usual = EngineOptions.defaults(cache);
    var engine = new EngineOptions(usual.poolBytes(), device, null, null, usual.codegen(), cache);
    var selection = new Setting.Selection(null, models, List.of(2));
    return suite.run(new Setting(engine, selection, 2, "no-python", true, said::add)).orElseThrow();
  }
}
