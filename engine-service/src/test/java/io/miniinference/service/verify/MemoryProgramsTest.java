package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The programs of *Memory Block Merging in Futhark* and blocks of real networks (`thesis.zip`):
/// what each computes, for all its data sets, and what its plan needs.
@OnEachDevice
@Tag("data")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MemoryProgramsTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir private static Path cache;
  private Suite suite;
  private Engine engine;

  @Parameter TestedDevice tested;

  @BeforeParameterizedClassInvocation
  void open() {
    suite = Suite.open(List.of(Path.of(System.getProperty("mie.data"), "thesis.zip")));
    engine =
        Engines.open(
            new EngineOptions(64L << 20, tested.device(), null, null, tested.codegen(), cache));
  }

  @AfterParameterizedClassInvocation
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
    assertThat(wrong).isEmpty();
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
    return tested.isOpenCl()
        ? needlessCopies(program.name(), plan, expected)
        : shortfall(plan, expected);
  }

  /// On the JVM device nothing is rounded up and no layout is converted: bytes and copies are the
  /// best that there are.
  private static String shortfall(JsonNode plan, JsonNode expected) {
    long bytes = plan.path("plannedBytes").asLong();
    long best = expected.path("optimal_bytes").asLong();
    long most = best + expected.path("slack_bytes").asLong();
    int copies = plan.path("copies").asInt();
    int fewest = expected.path("optimal_copies").asInt();
    return bytes <= most && copies <= fewest
        ? ""
        : "%d bytes instead of %d, %d copies instead of %d".formatted(bytes, best, copies, fewest);
  }

  /// On OpenCL blocked layouts may round up and convert, but nothing is copied in blocks of
  /// networks that can do without.
  private static String needlessCopies(String program, JsonNode plan, JsonNode expected) {
    boolean network = program.startsWith("n");
    if (!network || expected.path("optimal_copies").asInt() > 0) {
      return "";
    }
    List<String> copies =
        StreamSupport.stream(plan.path("steps").spliterator(), false)
            .filter(step -> step.path("kind").asString().equals("copy"))
            .map(step -> step.path("name").asString())
            .toList();
    return copies.isEmpty() ? "" : "copies " + copies;
  }
}
