package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.engine.InferenceModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

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
        "engine.models.repository=not-here | spring-boot-starter/not-here' is not a folder | one .onnx file",
        "engine.models.names=mnist-cnn,mnist-mlp,mnist-cnn | engine.models.names has 'mnist-cnn' twice | Name each model once",
        "engine.models.settings.mnist-cnn.bounds.length=8 | length is no open dimension of the model | Correct that setting",
        "engine.models.settings.mnist-cnn.max-batch-size=0 | the maximum batch is 0 | Correct engine.models.settings.mnist-cnn",
        "engine.models.settings.mnist-cnn.padding.length=8 | length is no open dimension of the model | Correct that setting",
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

  @Import(Digits.class)
  @ImportAutoConfiguration(EngineAutoConfiguration.class)
  static class ApplicationOfDigits {}

  static class Digits {
    Digits(@Qualifier("digits") InferenceModel model) {
      Objects.requireNonNull(model);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "engine.models.names=mnist-cnn,mnist-mlp | loaded are: mnist-cnn, mnist-mlp",
        "engine.models.names= | no model is configured",
        "engine.models.repository=target/no-models | there is none in target/no-models",
      })
  void whoWantsAModelThatThereIsNotIsToldWhichThereAre(
      String property, String reason, CapturedOutput log) throws Exception {
    Files.createDirectories(Path.of("target/no-models"));

    start(ApplicationOfDigits.class, property);

    assertThat(log.getOut())
        .contains(
            "APPLICATION FAILED TO START",
            Digits.class.getName() + " wants the model 'digits', and " + reason,
            "to @Qualifier")
        .doesNotContain("\tat ");
  }

  @Test
  void aModelThatIsNoneIsToldWithItsProblems(@TempDir Path folder, CapturedOutput log)
      throws Exception {
    Path file = Files.writeString(folder.resolve("letter.onnx"), "Dear all,");

    start("engine.models.repository=" + file);

    assertThat(log.getOut())
        .contains("APPLICATION FAILED TO START", "letter", "Replace " + file)
        .doesNotContain("\tat ");
  }

  @Test
  void aPointerOfGitLfsIsPulled(@TempDir Path folder, CapturedOutput log) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("large.onnx"), "version https://git-lfs.github.com/spec/v1\n");

    start("engine.models.repository=" + folder);

    assertThat(log.getOut()).contains("Run git lfs pull in the repository of " + file + ".");
  }

  /* An application has a bean of that name. */
  @Import(OtherBean.class)
  @ImportAutoConfiguration(EngineAutoConfiguration.class)
  static class ApplicationWithAnotherBean {}

  static class OtherBean {
    @Bean("mnist-cnn")
    String digits() {
      return "digits";
    }
  }

  @Test
  void aModelOfTheNameOfAnotherBeanIsToldWithTheRemedy(CapturedOutput log) {
    start(ApplicationWithAnotherBean.class, "engine.models.names=mnist-cnn");

    assertThat(log.getOut())
        .contains(
            "APPLICATION FAILED TO START",
            "'mnist-cnn' is the name of the model ",
            "and the application has another bean of that name: ",
            "Rename the model's folder or file, or the bean, or leave the model out")
        .doesNotContain("\tat ");
  }

  private static void start(String property) {
    start(Application.class, property);
  }

  private static void start(Class<?> source, String property) {
    String models = property.matches("engine.models.(names|repository)=.*") ? "" : "mnist-cnn";
    var application = new SpringApplication(source);
    application.setWebApplicationType(WebApplicationType.NONE);
    try (var context =
        application.run(
            "--engine.device=jvm",
            "--engine.cache.directory=target/device-cache",
            models.isEmpty() ? "--debug=false" : "--engine.models.names=" + models,
            "--" + property)) {
      Objects.requireNonNull(context);
      throw new AssertionError("started with " + property);
    } catch (RuntimeException e) {
      assertThat(e).isNotNull();
    }
  }
}
