package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tensors of strings (BYTES) over REST: in JSON, as binary data and in the V1 protocol.
final class StringsTest extends HeapServiceTest {
  private static final byte[] NO_UTF8 = {(byte) 0xC3, 0, (byte) 0xFF};

  private static String x(String shape, String rest) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":"
        + shape
        + ",\"datatype\":\"BYTES\","
        + rest
        + "}]}";
  }

  private static String json(String shape, String data) {
    return x(shape, "\"data\":" + data);
  }

  private static byte[] wire(byte[]... strings) {
    ByteBuffer all = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] string : strings) {
      all.putInt(string.length).put(string);
    }
    byte[] bytes = new byte[all.position()];
    all.flip().get(bytes);
    return bytes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> binary(String shape, byte[] data, String outputs) {
    String json =
        x(shape, "\"parameters\":{\"binary_data_size\":" + data.length + "}")
            .replaceFirst("^\\{", "{" + outputs);
    return post(utf8(json).length, Bytes.of(json, data));
  }

  private HttpResponse<byte[]> post(int jsonLength, byte[] body) {
    String path = "/v2/models/same-string/infer";
    return Bytes.post(port(), path, body, Bytes.HEADER, Integer.toString(jsonLength));
  }

  private static final String AS_BINARY = "\"parameters\":{\"binary_data_output\":true},";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[1,2] | [\"a\",\"known\"] | [\"a\",\"known\"]",
        "[2,2] | [[\"\",\"b\"],[\"b\",\"\"]] | [\"\",\"b\",\"b\",\"\"]",
        "[1,2] | [\"\\u00e9\\n\\\"\",\"\\ud83d\\ude00/\"] | [\"é\\u000a\\\"\",\"😀/\"]",
        "[1,2] | [{\"b64\":\"a25vd24=\"},\"\\u0000\"] | [\"known\",\"\\u0000\"]",
        "[0,2] | [] | []",
      })
  void stringsComeBackInJson(String shape, String data, String answer) {
    Answer response = client().infer("same-string", json(shape, data));

    assertThat(response.body())
        .isEqualTo(
            "{\"model_name\":\"same-string\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"y\",\"datatype\":\"BYTES\",\"shape\":"
                + shape
                + ",\"data\":"
                + answer
                + "}]}");
  }

  @Test
  void bytesOfAnyKindComeBackAsBinaryData() {
    byte[] data = wire(NO_UTF8, utf8(""), utf8("known"), NO_UTF8);

    HttpResponse<byte[]> answer = binary("[2,2]", data, AS_BINARY);

    assertThat(Bytes.json(answer))
        .contains("\"datatype\":\"BYTES\"", "\"binary_data_size\":" + data.length);
    assertThat(Bytes.rest(answer)).isEqualTo(ByteBuffer.wrap(data));
  }

  @Test
  void whatIsNoUtf8IsNotWrittenAsJsonOfV2() {
    HttpResponse<byte[]> answer = binary("[1,2]", wire(utf8("a"), NO_UTF8), "");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("output 'y' has a string at position 1 that is not UTF-8", "ask for binary data");
  }

  @Test
  void rawBodiesAreForOneString() {
    HttpResponse<byte[]> answer = post(0, wire(utf8("a"), utf8("bc")));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("raw requests of strings are for one element", "'x' is BYTES[-1, 2]");
  }

  @Test
  void lengthsPastTheEndAreRefused() {
    byte[] huge = {'a', 0, 0, (byte) 0x80, 0, 0, 0, 0};
    byte[] cut = {1, 0, 0, 0, 'a', 2, 0, 0};

    assertThat(refused("[1,2]", huge))
        .contains(
            "input 'x' (BYTES) at position 0: the string takes 2147483745 bytes, and 4 are left");
    assertThat(refused("[1,2]", cut))
        .contains("input 'x' (BYTES) at position 1: its length takes 4 bytes, and 3 are left");
    assertThat(refused("[1,2]", wire(utf8("a"), utf8("b"), utf8("c"))))
        .contains("holds 2 strings, and 5 bytes follow them");
    assertThat(refused("[2,2]", wire(utf8("aaaa"), utf8("b"))))
        .contains("holds 4 strings, more than 13 bytes can be");
  }

  private String refused(String shape, byte[] data) {
    HttpResponse<byte[]> answer = binary(shape, data, "");
    assertThat(answer.statusCode()).isEqualTo(400);
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[1,2] | [1,2] | input 'x' (BYTES) at position 0: 1 is not a string",
        "[1,2] | [\"a\",null] | input 'x' (BYTES) at position 1: null is not a string",
        "[1,2] | [\"a\"] | has too few values",
        "[1,2] | [\"a\",\"b\",\"c\"] | has more values",
        "[1,2] | [[[\"a\",\"b\"]]] | is nested deeper",
        "[1,2] | [\"a\",[\"b\"]] | side by side",
        "[1,2] | [\"a\",{\"b64\":\"?\"}] | is not Base64",
        "[1,2] | [\"a\",{\"b\":\"\"}] | is neither a string nor",
        "[1,2] | [\"a\",\"\\ud800\"] | half of a surrogate pair",
        "[1000000000000,2] | [\"a\"] | batch-size must be <= 8",
      })
  void whatIsNoStringIsRefused(String shape, String data, String message) {
    Answer answer = client().infer("same-string", json(shape, data));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).contains(message);
  }

  @Test
  void anotherDatatypeIsNamed() {
    Answer answer = client().infer("same-string", json("[1,2]", "[1,2]").replace("BYTES", "INT32"));

    assertThat(answer.error())
        .isEqualTo(
            "inference input 'x' data-type is 'INT32', but model 'same-string' expects 'BYTES'");
  }

  /// Some of them run as one batch, in which their words have the same codes.
  @Test
  void callersAtOnceReadTheirOwnStrings() {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers =
          IntStream.range(0, 64)
              .mapToObj(i -> "[\"first of " + i + "\",\"second of " + i + "\"]")
              .map(words -> callers.submit(() -> answered(words)))
              .toList();
      assertThat(answers).extracting(Future::get).doesNotContain("");
    }
  }

  /* Empty if the answer is of other words. */
  private String answered(String words) {
    String body = client().infer("same-string", json("[1,2]", words)).body();
    return body.contains("\"data\":" + words) ? body : "";
  }

  @Test
  void metadataAndConfigurationTellOfStrings() {
    assertThat(client().get("/v2/models/same-string").body())
        .contains("\"datatype\":\"BYTES\",\"shape\":[-1,2]");
    assertThat(client().get("/v2/models/same-string/config").body()).contains("TYPE_STRING");
  }

  @Test
  void stringsHaveNoClassification() {
    Answer answer =
        client()
            .infer(
                "same-string",
                json("[1,2]", "[\"a\",\"b\"]")
                    .replaceFirst(
                        "^\\{",
                        "{\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":1}}],"));

    assertThat(answer.error()).contains("output 'y'", "of strings");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"instances\":[[\"a\",\"b\"],[\"c\",\"\"]]} | {\"predictions\":[[\"a\",\"b\"],[\"c\",\"\"]]}",
        "{\"instances\":[{\"x\":[\"a\",\"b\"]}]} | {\"predictions\":[[\"a\",\"b\"]]}",
        "{\"instances\":[{\"x\":[{\"b64\":\"/w==\"},\"b\"]}]} | {\"predictions\":[[{\"b64\":\"/w==\"},\"b\"]]}",
        "{\"inputs\":[[\"a\",{ \"b64\" : \"YQ==\" }]]} | {\"outputs\":[[\"a\",\"a\"]]}",
      })
  void rowsOfStringsArePredicted(String body, String answer) {
    assertThat(client().post("/v1/models/same-string:predict", body).body()).isEqualTo(answer);
  }
}
