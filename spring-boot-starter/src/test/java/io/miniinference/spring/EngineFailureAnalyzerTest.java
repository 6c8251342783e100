package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/// What an application's log says where it does not start for a reason of the engine.
@ExtendWith(OutputCaptureExtension.class)
final class EngineFailureAnalyzerTest {

  @ImportAutoConfiguration(EngineAutoConfiguration.class)
  static class Application {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "engine.models.repository=not-here | is not a folder | in which the application was started",
        "engine.models.names=minst | and in target/device-cache/models there is | leave engine.models.names out",
        "engine.pool.capacity=4KB | does not fit the pool | engine.pool.capacity higher",
        "engine.pool.capacity=900TB | pool | engine.device=jvm needs no driver",
      })
  void theReasonAndWhatToDoAreToldWithoutAStack(
      String property, String reason, String action, CapturedOutput log) {
    start(property);

    assertThat(log.getOut())
        .contains("APPLICATION FAILED TO START", reason, action)
        .doesNotContain("\tat ");
  }

  @Test
  void aModelThatIsNoneIsToldWithItsProblems(@TempDir Path folder, CapturedOutput log)
      throws Exception {
    Path file = Files.writeString(folder.resolve("letter.onnx"), "Dear all,");

    start("engine.models.repository=" + file);

    assertThat(log.getOut())
        .contains("APPLICATION FAILED TO START", "letter", "Export the model anew")
        .doesNotContain("\tat ");
  }

  private static void start(String property) {
    String name = property.contains("models") ? "" : "mnist-cnn";
    var application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    try (var context =
        application.run(
            "--engine.device=jvm",
            "--engine.cache.directory=target/device-cache",
            "--engine.models.names=" + name,
            "--" + property)) {
      Objects.requireNonNull(context);
      throw new AssertionError("started with " + property);
    } catch (RuntimeException e) {
      assertThat(e).isNotNull();
    }
  }
}
