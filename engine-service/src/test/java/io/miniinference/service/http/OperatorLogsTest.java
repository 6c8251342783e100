package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.FreshLog;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/// The logs that an operator asks for: of accesses, and structured.
@ExtendWith(OutputCaptureExtension.class)
final class OperatorLogsTest {
  private static final long MOST_SECONDS = 6;

  @TempDir Path folder;

  /* Spring keeps the structure for the next start in this JVM, whose log is read as lines, and
  does not set it for a start beside a context that an earlier test has left open. */
  @BeforeEach
  @AfterEach
  void forgetTheStructure() {
    FreshLog.forget();
  }

  @Test
  void accessesAreLoggedWhereAPropertyAsksForItAndEveryLineOfTheLogIsOfItsStructure(
      CapturedOutput output) throws IOException {
    String[] arguments = {
      "--server.port=0",
      "--spring.grpc.server.port=0",
      "--engine.pool.capacity=1MB",
      "--engine.models.repository=" + Repositories.of("adder/1", "unreadable/1"),
      "--engine.models.required=any",
      "--logging.structured.format.console=ecs",
      "--server.tomcat.accesslog.enabled=true",
      "--server.tomcat.accesslog.directory=" + folder,
      "--server.tomcat.accesslog.pattern=%s \"%r\" %{traceparent}i",
    };
    var application =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class);
    try (var context = application.run(arguments)) {
      int port =
          Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
      new Client(port).get("/v2/models/adder", "traceparent", "00-1-2-01");
      awaitAccess();
    }

    assertThat(accesses()).contains("200 \"GET /v2/models/adder HTTP/1.1\" 00-1-2-01");
    List<String> lines = output.getOut().lines().filter(line -> !line.isBlank()).toList();
    assertThat(lines).hasSizeGreaterThan(4);
    var json = JsonMapper.builder().build();
    assertThat(lines)
        .allSatisfy(line ->
            assertThat(json.readTree(line).path("@timestamp").isString()).as(line).isTrue());
  }

  /* It is logged when the client has its answer already, and written out each second, not only
  each ten, which is Tomcat's way. */
  private void awaitAccess() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (accesses().isEmpty()) {
      assertThat(System.nanoTime()).as("no line in the access log").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private List<String> accesses() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return Files.readAllLines(files.findFirst().orElseThrow());
    }
  }
}
