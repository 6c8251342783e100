package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Inference requests that are answered.
final class InferTest extends HeapServiceTest {
  private static final String A =
      """
      {"name":"a","shape":[2,3],"datatype":"FP32","data":[1,2,3,4,5,6]}\
      """;
  private static final String B =
      """
      {"name":"b","shape":[2,3],"datatype":"FP32","data":[[0.5,0.5,0.5],[1e1,-1,0]]}\
      """;
  private static final String BOTH = "{\"inputs\":[" + A + "," + B + "]}";
  private static final String ANSWER =
      """
      {"model_name":"adder","model_version":"12","outputs":[\
      {"name":"sum","datatype":"FP32","shape":[2,3],"data":[1.5,2.5,3.5,14.0,4.0,6.0]},\
      {"name":"difference","datatype":"FP32","shape":[2,3],"data":[0.5,1.5,2.5,-6.0,6.0,6.0]}]}\
      """;

  @Test
  void nestedAndFlatDataAreTheSame() {
    Answer answer = client().infer("adder", BOTH);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(ANSWER);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.header("content-length")).isEqualTo("" + ANSWER.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "application/json",
        "application/octet-stream",
        "text/plain",
        "multipart/form-data; boundary=x"
      })
  void theContentTypeOfARequestIsOfNoInterest(String type) {
    assertThat(client().infer("adder", BOTH, "Content-Type", type).body()).isEqualTo(ANSWER);
  }

  @Test
  void theAcceptHeaderIsOfNoInterest() {
    assertThat(client().infer("adder", BOTH, "Accept", "text/html").body()).isEqualTo(ANSWER);
    assertThat(client().get("/v2/models/adder", "Accept", "text/html").status()).isEqualTo(200);
    assertThat(client().get("/v2/health/live", "Accept", "text/html").status()).isEqualTo(200);
  }

  @Test
  void aBodyWithoutALengthIsReadToItsEnd() {
    var stream = BodyPublishers.ofInputStream(() -> stream(BOTH + " ".repeat(40_000)));

    assertThat(client().post("/v2/models/adder/infer", stream).body()).isEqualTo(ANSWER);
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aVersionCanBeNamed() {
    Answer answer = client().post("/v2/models/adder/versions/12/infer", BOTH);

    assertThat(answer.body()).isEqualTo(ANSWER);
  }

  @Test
  void theIdIsEchoed() {
    Answer answer = client().infer("adder", "{\"id\":\"\\u00e4 \\\"7\\\"\"," + BOTH.substring(1));

    assertThat(answer.json().path("id").stringValue()).isEqualTo("ä \"7\"");
  }

  @Test
  void outputsComeAsChosenAndKeysInAnyOrder() {
    Answer answer =
        client()
            .infer(
                "adder",
                """
                {"parameters":{},"outputs":[{"parameters":{"binary_data":false},"name":"difference"}],
                 "unknown":[[{"deep":1}]],
                 "inputs":[{"data":[1,2,3,4,5,6],"parameters":{},"datatype":"FP32","name":"b","shape":[2,3]},
                """
                    + A
                    + "]}");

    assertThat(answer.json().path("outputs").size()).isEqualTo(1);
    assertThat(answer.body())
        .contains("\"name\":\"difference\"", "\"data\":[0.0,0.0,0.0,0.0,0.0,0.0]");
  }

  /// As MLServer's types are written with all of their fields.
  @Test
  void whatNeedNotBeThereMayBeNull() {
    Answer answer =
        client()
            .infer(
                "adder",
                """
                {"id":null,"parameters":null,"inputs":[
                 {"name":"a","shape":[1,3],"datatype":"FP32","parameters":null,"data":[1,2,3]},
                 {"name":"b","shape":[1,3],"datatype":"FP32",
                  "parameters":{"content_type":null,"headers":null},"data":[1,1,1]}],
                 "outputs":null}
                """);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().has("id")).isFalse();
    assertThat(answer.json().path("outputs")).hasSize(2);
  }

  @Test
  void anEmptyListOfOutputsAsksForAll() {
    assertThat(client().infer("adder", "{\"outputs\":[]," + BOTH.substring(1)).body())
        .isEqualTo(ANSWER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bool | BOOL   | true, false        | true,false",
        "bool | BOOL   | 1, 0               | true,false",
        "u8   | UINT8  | 0, 255             | 0,255",
        "i8   | INT8   | -128, 127          | -128,127",
        "u16  | UINT16 | 0, 65535           | 0,65535",
        "i16  | INT16  | -32768, 32767      | -32768,32767",
        "u32  | UINT32 | 0, 4294967295      | 0,4294967295",
        "i32  | INT32  | -2147483648, 2147483647 | -2147483648,2147483647",
        "u64  | UINT64 | 0, 18446744073709551615 | 0,18446744073709551615",
        "i64  | INT64  | -9223372036854775808, 9007199254740993 | -9223372036854775808,9007199254740993",
        "f16  | FP16   | 0.5, -65504        | 0.5,-65504.0",
        "bf16 | BF16   | 0.5, 1.00390625    | 0.5,1.0",
        "f32  | FP32   | 0.1, 16777217      | 0.1,1.6777216E7",
        "f32  | FP32   | 1e-45, -3.4028235e38 | 1.4E-45,-3.4028235E38",
        "f64  | FP64   | 0.1, 1e300         | 0.1,1.0E300",
      })
  void everyTypeComesBackAsItWent(String model, String datatype, String sent, String received) {
    Answer answer = client().infer("same-" + model, x(datatype, "[1,2]", "[" + sent + "]"));

    assertThat(answer.body())
        .contains(
            "{\"name\":\"y\",\"datatype\":\"%s\",\"shape\":[1,2],\"data\":[%s]}"
                .formatted(datatype, received));
  }

  @Test
  void aScalarHasAnEmptyShape() {
    Answer answer = client().infer("scalar", x("FP32", "[]", "[2.5]"));

    assertThat(answer.body()).contains("\"shape\":[],\"data\":[2.5]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[[],[]]"})
  void aTensorMayBeEmpty(String data) {
    Answer answer = client().infer("empty", x("FP32", "[2,0]", data));

    assertThat(answer.body()).contains("\"shape\":[2,0],\"data\":[]");
  }

  @Test
  void theLargestBatchIsAnswered() {
    Answer answer = client().infer("same-u8", x("UINT8", "[8,2]", "[" + "1,".repeat(15) + "1]"));

    assertThat(answer.body()).contains("\"shape\":[8,2]");
  }

  private static String x(String datatype, String shape, String data) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}]}"
        .formatted(shape, datatype, data);
  }
}
