package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Strings that models make, over HTTP.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MadeStringsTest {
  private RunningService service;

  @BeforeAll
  void start(@TempDir Path repository) {
    write(
        repository,
        "labels",
        TestModel.opset(21)
            .longs("x", "N")
            .words("stems", "cat", "dog")
            .words("end", "s")
            .node("StringConcat", "stems end", "labels")
            .node("Gather", "labels x", "y")
            .output("y", DataType.STRING, "N"));
    service =
        RunningService.start(
            "engine.device=jvm",
            "engine.pool.capacity=1MB",
            "engine.models.repository=" + repository);
  }

  private static void write(Path repository, String name, TestModel model) {
    try {
      Path folder = Files.createDirectories(repository.resolve(name).resolve("1"));
      Files.write(folder.resolve("model.onnx"), model.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private Answer ask(String model, String datatype, int count, String data) {
    return service
        .client()
        .infer(
            model,
            "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"%s\",\"shape\":[%d],\"data\":[%s]}]}"
                .formatted(datatype, count, data));
  }

  @Test
  void labelsThatAreMadeOfConstantsComeBack() {
    Answer answer = ask("labels", "INT64", 3, "1,0,1");

    assertThat(answer.body()).contains("\"data\":[\"dogs\",\"cats\",\"dogs\"]");
  }
}
