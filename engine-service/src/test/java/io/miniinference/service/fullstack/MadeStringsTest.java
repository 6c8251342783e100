package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
    write(
        repository,
        "repeated",
        TestModel.opset(21)
            .input("x", DataType.STRING, "1")
            .constant("times", 200)
            .node("Tile", "x times", "y")
            .node("Identity", "y", "z")
            .output("y", DataType.STRING, "200")
            .output("z", DataType.STRING, "200"));
    write(
        repository,
        "lower",
        TestModel.opset(21)
            .input("x", DataType.STRING, "words")
            .node("StringNormalizer", "x", "y", "case_change_action=LOWER")
            .strings("stopwords", "the")
            .output("y", DataType.STRING, "kept"));
    service =
        RunningService.start(
            "engine.device=jvm",
            "engine.pool.capacity=1MB",
            "engine.http.max-body-size=1MB",
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

  /// Six bytes of JSON are one of the string, and both outputs are of one answer.
  @Test
  void answersThatGrowTooLongAreRefused() {
    Answer fits = ask("repeated", "BYTES", 1, "\"" + "\\u0001".repeat(400) + "\"");
    assertThat(fits.status()).isEqualTo(200);
    assertThat(fits.body().length()).isGreaterThan(900_000);

    Answer answer = ask("repeated", "BYTES", 1, "\"" + "\\u0001".repeat(600) + "\"");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error())
        .contains(
            "output 'z' would take at least ", "bytes of JSON, and its answer has 327976 left")
        .contains("of the 1048576 that strings", "(engine.http.max-body-size)");
  }

  @Test
  void aRawBodyIsOneString() {
    HttpResponse<byte[]> answer =
        Bytes.post(
            service.port(),
            "/v2/models/repeated/infer",
            "raw".getBytes(StandardCharsets.UTF_8),
            Bytes.HEADER,
            "0");

    assertThat(Bytes.json(answer)).contains("\"shape\":[200]");
    assertThat(StandardCharsets.UTF_8.decode(Bytes.rest(answer)).toString())
        .isEqualTo("\3\0\0\0raw".repeat(400));
  }

  @Test
  void oneEmptyStringIsMadeOfNone() {
    assertThat(ask("lower", "BYTES", 2, "\"A\",\"b\"").body()).contains("\"data\":[\"a\",\"b\"]");
    assertThat(ask("lower", "BYTES", 1, "\"The\"").body())
        .contains("\"shape\":[1],\"data\":[\"\"]");
    assertThat(ask("lower", "BYTES", 0, "").body()).contains("\"shape\":[1],\"data\":[\"\"]");
  }

  @Test
  void labelsThatAreMadeOfConstantsComeBack() {
    Answer answer = ask("labels", "INT64", 3, "1,0,1");

    assertThat(answer.body()).contains("\"data\":[\"dogs\",\"cats\",\"dogs\"]");
  }
}
