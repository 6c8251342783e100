package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file in the repository never keeps the others from being served.
final class HostileRepositoryTest {
  @TempDir Path repository;

  @Test
  void aSumOfAThousandInputsAndADamagedFileLeaveTheOthersServed() throws Exception {
    new OpenModel()
        .floats("x", "2")
        .output("y", "2")
        .node("Relu", "x", "y")
        .write(repository, "plain");
    new OpenModel()
        .floats("x", "2")
        .output("y", "2")
        .node("Sum", String.join(" ", Collections.nCopies(1000, "x")), "y")
        .write(repository, "sum");
    Files.writeString(repository.resolve("junk.onnx"), "hello");
    Files.createDirectories(repository.resolve("empty"));

    try (RunningService service =
        RunningService.start(
            "engine.device=jvm",
            "engine.models.repository=" + repository,
            "engine.models.required=plain")) {
      assertThat(service.isReady()).isTrue();
      assertThat(answer(service, "plain")).contains("\"data\":[1.0,2.0]");
      assertThat(answer(service, "sum")).contains("\"data\":[1000.0,2000.0]");
      assertThat(answer(service, "junk")).contains("damaged, or not an ONNX file");
    }
  }

  private static String answer(RunningService service, String model) {
    return service
        .client()
        .infer(
            model,
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP32\",\"data\":[1,2]}]}")
        .body();
  }
}
