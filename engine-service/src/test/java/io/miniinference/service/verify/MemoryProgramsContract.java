package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.open.Engines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The programs of *Memory Block Merging in Futhark* and blocks of real networks (`thesis.zip`):
/// what each computes, for all its data sets, and what its plan needs.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MemoryProgramsContract {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir private static Path cache;
  private Suite suite;
  private Engine engine;

  /// `jvm` or `opencl`.
  abstract String device();

  /// `cpu` or `gpu`; the JVM has neither.
  abstract String codegen();

  /// What is wrong with a plan, judged by the program's `expected.json`; empty if nothing.
  abstract String shortfall(String program, JsonNode plan, JsonNode expected);

  /// Programs that do not do yet what they should, with what they do instead. Each must still be
  /// one: who mends it takes it off the list.
  Map<String, String> gaps() {
    return Map.of();
  }

  @BeforeAll
  void open() {
    suite = Suite.open(List.of(Path.of(System.getProperty("mie.data"), "thesis.zip")));
    engine = Engines.open(new EngineOptions(64L << 20, device(), null, null, codegen(), cache));
  }

  @AfterAll
  void close() {
    engine.close();
    suite.close();
  }

  @TestFactory
  Stream<DynamicTest> everyProgramIsRightAndAsSmallAsItCanBe() {
    return suite.models().stream()
        .map(program -> DynamicTest.dynamicTest(program.name(), () -> check(program)));
  }

  private void check(TestModel program) {
    Verdict verdict = ModelCheck.of(engine, program);
    String wrong = verdict.isPassed() ? shortfall(program) : verdict.problem();
    String gap = gaps().get(program.name());
    if (gap == null) {
      assertThat(wrong).isEmpty();
    } else {
      assertThat(wrong).as("a known gap").contains(gap);
    }
  }

  private String shortfall(TestModel program) {
    OnnxModel model = program.read();
    Path set = program.dataSets().getFirst();
    LoadOptions options = LoadOptions.defaults().forData(DataRun.inputs(model, set));
    JsonNode plan = MAPPER.readTree(engine.plan(model, options, 1).json());
    JsonNode expected = JsonFile.read(program.folder().resolve("expected.json"));
    assertThat(plan.get("naiveBytes").asLong())
        .as("naive bytes of %s", program.name())
        .isEqualTo(expected.get("naive_bytes").asLong());
    return shortfall(program.name(), plan, expected);
  }
}
