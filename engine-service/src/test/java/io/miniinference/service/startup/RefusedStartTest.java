package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.FreshLog;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;

/// What a user reads last of a service that does not start.
@ExtendWith(OutputCaptureExtension.class)
final class RefusedStartTest {
  /* As a start has it: without, a report goes where the test before left the log. */
  @BeforeEach
  void logAsAStartDoes() {
    LoggingSystem logging = FreshLog.forget();
    logging.beforeInitialize();
    logging.initialize(new LoggingInitializationContext(new StandardEnvironment()), null, null);
  }

  @Test
  void aMisspeltPropertyIsToldInOneLastLineWithoutBannerOrClasses(CapturedOutput log) {
    assertThat(lastOf(log, "--engine.pool.capcity=1GB"))
        .endsWith(
            "not started: unknown property 'engine.pool.capcity' (command line): the nearest is"
                + " 'engine.pool.capacity'. Correct the name, or leave the property out. A model's"
                + " name with dots stands in brackets: engine.models.settings[NAME].dimensions.SYMBOL.");
    assertThat(log).doesNotContain("APPLICATION FAILED", "Action:", "\tat ");
  }

  @Test
  void valuesOutOfBoundsAreToldByTheNamesThatUsersWrite(CapturedOutput log) {
    assertThat(lastOf(log, "--engine.batching.max-size=0"))
        .endsWith(
            "not started: engine.batching.max-size is '0': must be greater than or equal to 1."
                + " Correct the value; docs/settings.md says what each property takes.");
    assertThat(lastOf(log, "--engine.queue.full-status=200"))
        .contains("not started: engine.queue: full-status is 200, not 503 or 429. Correct");
    assertThat(lastOf(log, "--engine.models.settings.x.max-batch-size=-1"))
        .contains("not started: engine.models.settings.x: max-batch-size is -1, not from 1 to ");
    assertThat(lastOf(log, "--engine.models.settings.my_model.max-batch-size=-1"))
        .contains("not started: engine.models.settings.my_model: max-batch-size is -1");
    assertThat(lastOf(log, "--engine.models.settings.my_model.max-batch-size=x"))
        .contains("not started: engine.models.settings.my_model.max-batch-size is 'x': it takes");
    assertThat(lastOf(log, "--engine.models.settings[a.b_c].max-batch-size=x"))
        .contains("not started: engine.models.settings[a.b_c].max-batch-size is 'x': it takes");
    assertThat(lastOf(log, "--engine.models.settings.my_Model.max-batch=1"))
        .contains("not started: unknown property 'engine.models.settings.my_Model.max-batch'")
        .contains("the nearest is 'engine.models.settings.my_Model.max-batch-size'");
    assertThat(log).doesNotContain("io.miniinference");
  }

  @Test
  void aPortThatIsTakenIsTold(CapturedOutput log) throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
      int port = taken.getLocalPort();

      assertThat(
              lastOf(
                  log,
                  "--server.port=" + port,
                  "--engine.device=jvm",
                  "--spring.grpc.server.port=0"))
          .contains("not started: port " + port + " is in use. End the process");
    }
    new RefusedStart(null)
        .reportException(
            new IllegalStateException(
                "Failed to start",
                new IOException(
                    "Failed to bind to 0.0.0.0:8081", new BindException("Address in use"))));
    assertThat(last(log)).contains("not started: Failed to bind to 0.0.0.0:8081: Address in use.");
  }

  @Test
  void aPortThatIsNoneIsToldByItsProperty(CapturedOutput log) {
    assertThat(lastOf(log, "--server.port=80800"))
        .endsWith(
            "not started: server.port is '80800': it takes a port, from 0 (any that is free) to"
                + " 65535. Correct the value.");
    assertThat(lastOf(log, "--spring.grpc.server.port=x"))
        .contains("not started: spring.grpc.server.port is 'x': it takes a port");
    assertThat(lastOf(log, "--management.server.port=-2"))
        .contains("not started: management.server.port is '-2': it takes a port");
  }

  @Test
  void onePortForTwoServersIsToldBeforeModelsAreLoaded(CapturedOutput log) {
    assertThat(lastOf(log, "--server.port=19080", "--spring.grpc.server.port=19080"))
        .endsWith(
            "not started: spring.grpc.server.port and server.port are both 19080, and each server has a"
                + " port of its own (that of gRPC is the one after server.port if none is set). Correct"
                + " the value.");
    assertThat(lastOf(log, "--spring.grpc.server.port=8080"))
        .contains("spring.grpc.server.port and server.port are both 8080");
    assertThat(
            lastOf(
                log,
                "--server.port=0",
                "--spring.grpc.server.port=19081",
                "--management.server.port=19081"))
        .contains("spring.grpc.server.port and management.server.port are both 19081");
    assertThat(lastOf(log, "--server.port=19080", "--management.server.port=19081"))
        .contains("spring.grpc.server.port and management.server.port are both 19081");
    assertThat(log).doesNotContain("loaded in");
  }

  @Test
  void aFileOfSettingsThatIsNoYamlIsToldWithItsPlace(CapturedOutput log, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("application.yaml");
    Files.writeString(file, "engine:\n  pool:\n    capacity: [1\n");

    assertThat(lastOf(log, "--spring.config.location=" + file))
        .contains("not started: a file of settings cannot be read as YAML, line 4, column 1: ")
        .endsWith(". Correct the file.");
  }

  @Test
  void aRepositoryThatIsRefusedComesBeforeAClaimToListen(CapturedOutput log) {
    assertThat(
            lastOf(
                log,
                "--server.port=0",
                "--engine.device=jvm",
                "--engine.models.repository=/none/such"))
        .contains("not started: ")
        .contains("/none/such");
    assertThat(log).doesNotContain("listening");
  }

  @Test
  void whatNoAnalyzerKnowsIsToldByItsCauses(CapturedOutput log) {
    IOException missing = catchThrowableOfType(IOException.class, () -> new ZipFile("nosuch.p12"));

    new RefusedStart(null).reportException(new IllegalStateException("no certificate", missing));

    assertThat(last(log))
        .endsWith(
            "not started: no certificate: nosuch.p12 (--logging.level.mie=debug shows where)");
    assertThat(log).doesNotContain("\tat ", "defect");
  }

  @Test
  void aListOfOneIsASentence() {
    var problem =
        new FailureAnalysis(
            "1 problem in 'net':\n- is truncated", null, new IllegalStateException("no model"));

    assertThat(RefusedStart.message(problem)).isEqualTo("1 problem in 'net': is truncated");
  }

  @Test
  void aDefectIsToldLastAndItsPlaceBefore(CapturedOutput log) {
    new RefusedStart(null).reportException(new IllegalStateException("two engines"));

    assertThat(last(log)).contains("not started: defect of the engine: two engines");
    assertThat(log).contains("\tat " + RefusedStartTest.class.getName());
  }

  private static String lastOf(CapturedOutput log, String... properties) {
    var service = new SpringApplication(MiniInferenceEngine.class);
    assertThatThrownBy(() -> service.run(properties)).isInstanceOf(RuntimeException.class);
    return last(log);
  }

  private static String last(CapturedOutput log) {
    return log.toString().lines().filter(line -> !line.isBlank()).toList().getLast();
  }
}
