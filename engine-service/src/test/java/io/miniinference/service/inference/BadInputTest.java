package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Inference requests that are refused, with a message that names thing and remedy.
final class BadInputTest extends HeapServiceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1,2] | FP32 | [1, 2] | inference input 'x' data-type is 'FP32', but model 'same-u8' expects 'UINT8'",
        "[1,2] | BYTES | [^a^, ^b^] | inference input 'x' data-type is 'BYTES', but model 'same-u8' expects 'UINT8'",
        "[1,3] | UINT8 | [1, 2, 3] | unexpected shape for input 'x' for model 'same-u8'. Expected [-1,2], got [1,3]",
        "[2] | UINT8 | [1, 2] | unexpected shape for input 'x' for model 'same-u8'. Expected [-1,2], got [2]",
        "[] | UINT8 | [1] | unexpected shape for input 'x' for model 'same-u8'. Expected [-1,2], got []",
        "[9,2] | UINT8 | [1] | inference request batch-size must be <= 8 for 'same-u8', got 9",
        "[9223372036854775807,2] | UINT8 | [1] | inference request batch-size must be <= 8 for 'same-u8', got 9223372036854775807",
        "[-1,2] | UINT8 | [1, 2] | shape of input 'x' has -1, which is no size of a dimension",
        "[1.5,2] | UINT8 | [1, 2] | shape of input 'x' has 1.5, which is no size of a dimension",
        "[1e400,2] | UINT8 | [1, 2] | shape of input 'x' has 1e400, which is no size of a dimension",
        "[NaN,2] | UINT8 | [1, 2] | shape of input 'x' has NaN, which is no size of a dimension",
        "[99999999999999999999,2] | UINT8 | [1, 2] | shape of input 'x' has 99999999999999999999, which is no size of a dimension",
        "7 | UINT8 | [1, 2] | shape of an input must be a JSON array, got 7",
        "[1,2] | UINT8 | [1] | input 'x' has too few values: its shape [1, 2] holds 2, got 1",
        "[1,2] | UINT8 | [] | input 'x' has too few values: its shape [1, 2] holds 2, got 0",
        "[1,2] | UINT8 | [1, 2, 3] | input 'x' has more values than the 2 that its shape [1, 2] holds",
        "[1,2] | UINT8 | 5 | the data of input 'x' must be an array",
        "[1,2] | UINT8 | null | the data of input 'x' must be an array",
        "[1,2] | UINT8 | [1, 300] | input 'x' (UINT8) at position 1: 300 is outside the range of UINT8",
        "[1,2] | UINT8 | [1, -1] | input 'x' (UINT8) at position 1: -1 is outside the range of UINT8",
        "[1,2] | UINT8 | [1.5, 1] | input 'x' (UINT8) at position 0: 1.5 is not a whole number",
        "[1,2] | UINT8 | [1, ^2^] | input 'x' (UINT8) at position 1: \"2\" is not a whole number",
        "[1,2] | UINT8 | [1, null] | input 'x' (UINT8) at position 1: null is not a whole number",
        "[1,2] | UINT8 | [1, {}] | input 'x' (UINT8) at position 1: an object is not a whole number",
        "[2,2] | UINT8 | [[1, 2], [3]] | the data of input 'x' is ragged: arrays of 2 and of 1 elements at depth 1",
        "[1,2] | UINT8 | [[1], [2]] | the data of input 'x' is nested as [2, 1], but its shape is [1, 2]",
        "[1,2] | UINT8 | [1, [2]] | the data of input 'x' has numbers and arrays side by side",
        "[1,2] | UINT8 | [[1], 2] | the data of input 'x' has numbers and arrays side by side",
        "[1,2] | UINT8 | [[[1, 2]]] | the data of input 'x' is nested deeper than its shape of 2 dimensions",
      })
  void anInputThatDoesNotFitIsRefused(String shape, String type, String data, String message) {
    Answer answer = client().infer("same-u8", x("x", type, shape, data.replace('^', '"')));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f32 | FP32 | 1e39 | 1e39 is outside the range of FP32",
        "f64 | FP64 | 1e999 | 1e999 is outside the range of FP64",
        "f16 | FP16 | 65520 | 65520 is outside the range of FP16",
        "bf16 | BF16 | 3.4028235e38 | 3.4028235e38 is outside the range of BF16",
        "f32 | FP32 | true | true is not a number",
        "f32 | FP32 | \"nan\" | \"nan\" is not a number",
        "f64 | FP64 | \"1\" | \"1\" is not a number",
        "i8 | INT8 | 128 | 128 is outside the range of INT8",
        "i16 | INT16 | -32769 | -32769 is outside the range of INT16",
        "u16 | UINT16 | 65536 | 65536 is outside the range of UINT16",
        "i32 | INT32 | 2147483648 | 2147483648 is outside the range of INT32",
        "u32 | UINT32 | 4294967296 | 4294967296 is outside the range of UINT32",
        "i64 | INT64 | 9223372036854775808 | 9223372036854775808 is outside the range of INT64",
        "u64 | UINT64 | 18446744073709551616 | 18446744073709551616 is outside the range of UINT64",
        "u64 | UINT64 | -1 | -1 is outside the range of UINT64",
        "i64 | INT64 | NaN | NaN is not a whole number",
        "bool | BOOL | 2 | 2 is neither true nor false",
        "bool | BOOL | 0.0 | 0.0 is neither true nor false",
      })
  void aValueThatTheTypeCannotHoldIsNamedByItsPosition(
      String model, String type, String value, String message) {
    Answer answer = client().infer("same-" + model, x("x", type, "[2,2]", "[0," + value + ",0,0]"));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error())
        .isEqualTo("input 'x' (%s) at position 1: %s".formatted(type, message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"inputs\":[",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,",
        "{\"inputs\":[{\"data\":[1,2",
        "{\"inputs\":[{\"name\":\"x\",}]}",
        "{'inputs':[]}",
        "{\"inputs\":[],\"inputs\":[]}",
        "{} {}",
        "[]",
        "null",
        "a=b&c=d",
        "\u0000\u0001",
        "{\"inputs\":{}}",
        "{\"inputs\":[5]}",
        "{\"inputs\":[{}]}",
        "{\"inputs\":[{\"name\":5}]}",
        "{\"inputs\":[{\"name\":\"x\"}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\"}]}",
        "{\"id\":5}",
        "{\"outputs\":[{}]}",
        "{\"outputs\":[{\"name\":null}]}",
        "{\"inputs\":[{\"name\":\"x\",\"parameters\":{\"binary_data_size\":8}}]}",
        "{\"inputs\":[{\"name\":\"x\",\"parameters\":5}]}",
      })
  void whatIsNoRequestIsRefused(String body) {
    Answer answer = client().infer("same-u8", body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isNotBlank().doesNotContain("Exception", "tools.jackson");
  }

  @Test
  void anInputWhoseNameComesAfterItsShapeIsToldByItsPlace() {
    String body = "{\"inputs\":[{\"shape\":[-1,2],\"name\":\"x\"}]}";

    assertThat(client().infer("same-u8", body).error())
        .isEqualTo("shape of input 1 has -1, which is no size of a dimension");
  }

  @Test
  void malformedJsonIsToldWithItsPlace() {
    assertThat(client().infer("same-u8", "{\n\"inputs\": oops}").error())
        .startsWith("malformed JSON at line 2, column ")
        .contains("oops");
  }

  @Test
  void aPictureIsToldToBeNoRequest() {
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    HttpResponse<byte[]> answer = Bytes.post(port(), "/v2/models/same-u8/infer", png);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Bytes.json(answer))
        .contains("malformed JSON: the body begins with the byte 0x89; send a request in JSON, or")
        .contains("Inference-Header-Content-Length: 0");
  }

  @Test
  void keysHaveABoundWhereverTheyAre() {
    var keys = new StringBuilder("{");
    for (int i = 0; i <= 10_000; i++) {
      keys.append(i == 0 ? "" : ",").append('"').append(i % 10).append("\":0");
    }
    String many = keys.append('}').toString();

    assertThat(client().infer("same-u8", many).error()).contains("more than 10000 keys");
    assertThat(client().infer("same-u8", "{\"a\":[" + many + "]}").error())
        .contains("more than 10000 keys");
  }

  @Test
  void nestingHasABound() {
    Answer answer = client().infer("same-u8", "{\"x\":" + "[".repeat(5_000));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).contains("nesting depth");
  }

  @Test
  void dataBeforeTheirShapeAreCheckedAllTheSame() {
    String body =
        "{\"inputs\":[{\"data\":[1,300],\"shape\":[1,2],\"datatype\":\"UINT8\",\"name\":\"x\"}]}";

    assertThat(client().infer("same-u8", body).error())
        .isEqualTo("input 'x' (UINT8) at position 1: 300 is outside the range of UINT8");
  }

  @Test
  void anUnknownInputIsNamedBesideThoseThereAre() {
    assertThat(client().infer("adder", x("c", "FP32", "[1,3]", "[1,2,3]")).error())
        .isEqualTo("unexpected inference input 'c' for model 'adder'; its inputs are 'a', 'b'");
  }

  @Test
  void aMissingInputIsNamed() {
    assertThat(client().infer("adder", x("b", "FP32", "[1,3]", "[1,2,3]")).error())
        .isEqualTo(
            "expected 2 inputs but got 1 input for model 'adder'. Missing required input(s) 'a'");
  }

  @Test
  void aKeyThatMayStandForTheMissingOneIsNamed() {
    String input = "{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}";

    assertThat(client().infer("same-u8", "{\"input\":[" + input + "]}").error())
        .isEqualTo(
            "expected 1 input but got 0 inputs for model 'same-u8'. Missing required input(s) 'x'."
                + " The key 'input' means nothing here: the nearest that does is 'inputs'");
    assertThat(
            client()
                .infer("same-u8", "{\"inputs\":[" + input.replace("shape", "Shapes") + "]}")
                .error())
        .isEqualTo(
            "input 'x' has no 'shape'. The key 'Shapes' means nothing here: the nearest that does"
                + " is 'shape'");
  }

  @Test
  void aKeyThatMeansNothingIsLetBe() {
    String input =
        "{\"name\":\"x\",\"shapes\":5,\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}";

    assertThat(client().infer("same-u8", "{\"input\":1,\"inputs\":[" + input + "]}").status())
        .isEqualTo(200);
    assertThat(client().infer("same-u8", "{\"trace\":[],\"inputs\":[]}").error())
        .endsWith("Missing required input(s) 'x'");
  }

  @Test
  void anInputMayComeOnce() {
    String a = "{\"name\":\"a\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}";

    assertThat(client().infer("adder", "{\"inputs\":[" + a + "," + a + "]}").error())
        .isEqualTo("input 'a' already exists in request");
  }

  @Test
  void inputsAgreeOnTheBatch() {
    String a = "{\"name\":\"a\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}";
    String b = "{\"name\":\"b\",\"shape\":[2,3],\"datatype\":\"FP32\",\"data\":[1,2,3,4,5,6]}";

    assertThat(client().infer("adder", "{\"inputs\":[" + a + "," + b + "]}").error())
        .isEqualTo("input 'b' batch size does not match other inputs for 'adder': 2 and 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"name\":\"z\"} | unexpected inference output 'z' for model 'same-u8'; its outputs are 'y'",
        "{\"name\":\"y\"},{\"name\":\"y\"} | output 'y' already requested"
      })
  void anOutputThatIsNotThereOrTwiceIsRefused(String outputs, String message) {
    String inputs = x("x", "UINT8", "[1,2]", "[1,2]").substring(1);

    Answer answer = client().infer("same-u8", "{\"outputs\":[" + outputs + "]," + inputs);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo(message);
  }

  @Test
  void aBodyOverTheBoundIsRefusedWithAndWithoutALength() {
    String body = " ".repeat(70_000);
    var stream = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[70_000]));

    Answer told = client().infer("same-u8", body);
    Answer chunked = client().post("/v2/models/same-u8/infer", stream);

    assertThat(told.status()).isEqualTo(413);
    assertThat(chunked.status()).isEqualTo(413);
    assertThat(told.error())
        .isEqualTo("the request's body is longer than 65536 bytes (engine.http.max-body-size)")
        .isEqualTo(chunked.error());
  }

  @Test
  void rowsThatFailAreNamedAndTheNextRequestSucceeds() {
    Answer bad = client().infer("picker", x("indices", "INT64", "[4]", "[1,77,5,10]"));
    Answer good = client().infer("picker", x("indices", "INT64", "[4]", "[1,7,5,9]"));

    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.error())
        .isEqualTo(
            "node 'pick' (Gather): index 77 is outside [-10, 9] on axis 0, at row 1, position 1; one more row failed: 3");
    assertThat(good.body()).contains("\"data\":[1,7,5,9]");
  }

  @Test
  void anUnknownModelOrVersionIsNotFound() {
    Answer model = client().infer("nobody", "{}");
    Answer version = client().post("/v2/models/adder/versions/4/infer", "{}");

    assertThat(model.status()).isEqualTo(404);
    assertThat(model.error())
        .startsWith("Request for unknown model: 'nobody' is not found; served are 'adder', ");
    assertThat(version.status()).isEqualTo(404);
    assertThat(version.error())
        .isEqualTo(
            "Request for unknown model: 'adder' version 4 is not found; there are versions 3, 12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//v2/models/nobody/infer",
        "/v2;a=b/models/nobody/infer",
        "/;/v2/models/nobody/infer",
        "/x/../v2/models/nobody/infer",
        "/%762/models/nobody/infer",
        "//v1/models/nobody:predict"
      })
  void aPathThatIsWrittenInAnotherWayHasTheSameErrors(String path) {
    Answer answer = client().post(path, "{}");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.error()).startsWith("Request for unknown model: 'nobody' is not found");
  }

  /// A client's base address may end in one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "//v2",
        "//v2//health/ready",
        "//v2/models",
        "/v2//models/adder",
        "/v2/models//adder/config",
        "//v1/models/adder",
        "//actuator/health"
      })
  void aSlashMoreChangesNothing(String path) {
    Answer once = client().get(path.replace("//", "/"));
    Answer more = client().get(path);

    assertThat(once.status()).isEqualTo(200);
    assertThat(more.status()).isEqualTo(200);
    assertThat(more.body()).isEqualTo(once.body());
  }

  @Test
  void aWrongVerbOrPathIsToldAsTheProtocolDoes() {
    assertThat(client().get("/v2/models/adder/infer").status()).isEqualTo(405);
    assertThat(client().get("/v2/models/adder/infer").header("allow")).isEqualTo("POST");
    assertThat(client().get("/v2/models/adder/infer").error())
        .isEqualTo("method 'GET' is not for this address, which takes POST");
    assertThat(client().method("DELETE", "/v2/models/adder").status()).isEqualTo(405);
    assertThat(client().get("/v2/nothing").status()).isEqualTo(404);
    assertThat(client().get("/v2/nothing").error()).isEqualTo("there is nothing at /v2/nothing");
    assertThat(client().post("/v2/nothing", "{}").status()).isEqualTo(404);
  }

  private static String x(String name, String datatype, String shape, String data) {
    return "{\"inputs\":[{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}]}"
        .formatted(name, shape, datatype, data);
  }
}
