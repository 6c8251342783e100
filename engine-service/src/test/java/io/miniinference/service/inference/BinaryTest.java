package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapServiceTest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests and answers with binary tensors.
final class BinaryTest extends HeapServiceTest {
  private static final byte[] A = Bytes.floats(1, 2, 3);
  private static final byte[] B = Bytes.floats(10, Float.NaN, Float.NEGATIVE_INFINITY);

  @Test
  void tensorsFollowTheJsonInBothDirections() {
    String json =
        """
        {"id":"7","inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","parameters":{"binary_data_size":12}},
        {"name":"b","shape":[1,3],"datatype":"FP32","parameters":{"binary_data_size":12}}],
        "outputs":[{"name":"sum","parameters":{"binary_data":true}}]}\
        """;

    HttpResponse<byte[]> answer = send("adder", json, A, B);

    assertThat(answer.headers().firstValue("content-type")).contains("application/octet-stream");
    assertThat(Bytes.json(answer))
        .isEqualTo(
            """
            {"model_name":"adder","model_version":"12","id":"7","outputs":[\
            {"name":"sum","datatype":"FP32","shape":[1,3],"parameters":{"binary_data_size":12}}]}\
            """);
    assertThat(floats(answer)).containsExactly(11, Float.NaN, Float.NEGATIVE_INFINITY);
  }

  /// As Triton's Java client sends it: outputs first, empty parameters, JSON and binary side by
  /// side.
  @Test
  void jsonAndBinaryMayBeMixedInARequestAndInItsAnswer() {
    String json =
        """
        {"outputs":[{"name":"difference","parameters":{"binary_data":false}},{"name":"sum","parameters":{"binary_data":true}}],
        "parameters":{},"inputs":[{"name":"b","parameters":{"binary_data_size":12},"datatype":"FP32","shape":[1,3]},
        {"parameters":{},"data":[5,5,5],"name":"a","datatype":"FP32","shape":[1,3]}]}\
        """;

    HttpResponse<byte[]> answer = send("adder", json, A);

    assertThat(Bytes.json(answer)).contains("\"data\":[4.0,3.0,2.0]");
    assertThat(floats(answer)).containsExactly(6, 7, 8);
  }

  /// As Python's client sends it when no outputs are named.
  @Test
  void allOutputsAreBinaryIfTheRequestSaysSoAndAnOutputMaySayOtherwise() {
    String inputs =
        """
        "inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","data":[1,2,3]},{"name":"b","shape":[1,3],"datatype":"FP32","data":[1,1,1]}],
        "parameters":{"binary_data_output":true}\
        """;

    HttpResponse<byte[]> all = post("adder", "{" + inputs + "}");
    HttpResponse<byte[]> one =
        post(
            "adder",
            "{\"outputs\":[{\"name\":\"sum\",\"parameters\":{\"binary_data\":false}},{\"name\":\"difference\"}],"
                + inputs
                + "}");

    assertThat(floats(all)).containsExactly(2, 3, 4, 0, 1, 2);
    assertThat(Bytes.json(one)).contains("\"data\":[2.0,3.0,4.0]");
    assertThat(floats(one)).containsExactly(0, 1, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "bool,BOOL,2", "u8,UINT8,2", "i8,INT8,2", "u16,UINT16,4", "i16,INT16,4", "u32,UINT32,8",
    "i32,INT32,8", "u64,UINT64,16", "i64,INT64,16", "f16,FP16,4", "bf16,BF16,4", "f32,FP32,8",
    "f64,FP64,16"
  })
  void everyTypeComesBackAsItWentToTheBit(String model, String datatype, int bytes) {
    byte[] data = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      data[i] = (byte) (model.equals("bool") ? i % 2 : 0xFD - i);
    }

    HttpResponse<byte[]> answer = send("same-" + model, x(datatype, "[1,2]", bytes), data);

    assertThat(Bytes.rest(answer)).isEqualTo(ByteBuffer.wrap(data));
  }

  @Test
  void scalarsAndEmptyTensorsHaveBytesToo() {
    HttpResponse<byte[]> scalar = send("scalar", x("FP32", "[]", 4), Bytes.floats(2.5f));
    HttpResponse<byte[]> empty = send("empty", x("FP32", "[2,0]", 0));
    HttpResponse<byte[]> none = send("same-u8", x("UINT8", "[0,2]", 0));

    assertThat(floats(scalar)).containsExactly(2.5f);
    assertThat(Bytes.json(empty)).contains("\"shape\":[2,0]", "\"binary_data_size\":0");
    assertThat(Bytes.json(none)).contains("\"shape\":[0,2]", "\"binary_data_size\":0");
  }

  @Test
  void lengthsOfTheJsonThatDifferAreRefused() {
    String body =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
    String length = Integer.toString(body.length());

    Client.Answer twice = client().infer("same-u8", body, Bytes.HEADER, "9", Bytes.HEADER, length);
    Client.Answer same =
        client().infer("same-u8", body, Bytes.HEADER, length, Bytes.HEADER, length);

    assertThat(twice.status()).isEqualTo(400);
    assertThat(twice.error()).contains("comes more than once, with different lengths");
    assertThat(same.status()).isEqualTo(200);
  }

  @Test
  void aRawBodyIsTheOnlyInput() {
    HttpResponse<byte[]> one = raw("same-i64", Bytes.longs(5, Long.MIN_VALUE));
    HttpResponse<byte[]> three = raw("same-i64", Bytes.longs(1, 2, 3, 4, 5, 6));

    assertThat(Bytes.json(one)).contains("\"shape\":[1,2]");
    assertThat(Bytes.rest(one)).isEqualTo(ByteBuffer.wrap(Bytes.longs(5, Long.MIN_VALUE)));
    assertThat(Bytes.json(three)).contains("\"shape\":[3,2]");
  }

  @Test
  void aRawBodyThatDoesNotFitIsRefused() {
    assertRefused(raw("same-i64", Bytes.longs(1, 2, 3)), "a raw binary request of 24 bytes");
    assertRefused(raw("adder", A), "for models with one input, and this one has 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | is '-1', which is no length of JSON",
        "x | is 'x', which is no length of JSON",
        "9999 | is '9999', which is no length of JSON in a body of 2 bytes",
        "99999999999999999999 | is '99999999999999999999', which is no length",
      })
  void aLengthOfJsonThatCannotBeIsRefused(String header, String message) {
    assertRefused(
        Bytes.post(
            port(), infer("same-u8"), "{}".getBytes(StandardCharsets.UTF_8), Bytes.HEADER, header),
        message);
  }

  @Test
  void sizesThatDoNotAgreeAreRefused() {
    assertRefused(
        send("same-u8", x("UINT8", "[1,2]", 3), new byte[3]),
        "declares binary_data_size 3, but its shape takes 2 bytes");
    assertRefused(
        send("same-u8", x("UINT8", "[1,2]", 2), new byte[1]),
        "needs 2 bytes of binary data, and 1 are left");
    assertRefused(
        send("same-u8", x("UINT8", "[1,2]", 2), new byte[9]),
        "7 bytes follow the request that belong to no input");
    assertRefused(
        send("same-bool", x("BOOL", "[1,2]", 2), new byte[] {1, 7}),
        "(BOOL) at position 1: the byte 7 is neither 0 nor 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"binary_data_size\":\"2\"} | parameter 'binary_data_size' of an input must be a whole number",
        "{\"binary_data_size\":-2} | must be a whole number that is not negative, got -2",
        "{\"binary_data_size\":\"2\"} | must be a whole number that is not negative, got \\\"2\\\"",
        "{\"binary_data_size\":2.0} | must be a whole number that is not negative, got 2.0",
        "{\"x\":[]} | parameter 'x' of an input must be a string, a number or a boolean",
        "{\"x\":{}} | parameter 'x' of an input must be a string, a number or a boolean, got an object",
        "7 | parameters of an input must be an object",
      })
  void parametersOfAWrongTypeAreRefused(String parameters, String message) {
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"parameters\":"
            + parameters
            + "}]}";

    assertRefused(send("same-u8", json, new byte[2]), message);
  }

  /// Triton's have 64 bits and no sign.
  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "9223372036854775808", "18446744073709551615"})
  void aPriorityAndATimeoutMayHaveAll64Bits(String value) {
    String body =
        "{\"parameters\":{\"priority\":VALUE,\"timeout\":VALUE},".replace("VALUE", value)
            + "\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";

    assertThat(post("same-u8", body).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shared_memory_region", "shared_memory_byte_size", "shared_memory_offset"})
  void sharedMemoryIsNotImplementedWhicheverTensorAsksForIt(String parameter) {
    String input = "\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\"%s}]";
    String asking = ",\"parameters\":{\"%s\":1}".formatted(parameter);
    var ofInput = post("same-u8", "{" + input.formatted(asking) + "}");
    var ofOutput =
        post(
            "same-u8",
            "{\"outputs\":[{\"name\":\"y\"%s}],".formatted(asking)
                + input.formatted(",\"data\":[1,2]")
                + "}");

    assertThat(ofInput.statusCode()).isEqualTo(501);
    assertThat(Bytes.json(ofInput)).contains("'" + parameter + "' of an input", "as binary data");
    assertThat(ofOutput.statusCode()).isEqualTo(501);
    assertThat(Bytes.json(ofOutput)).contains("'" + parameter + "' of an output", "as binary data");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"parameters\":{\"binary_data_output\":1} | 'binary_data_output' of the request must be true or false",
        "\"parameters\":{\"priority\":-1} | 'priority' of the request must be a whole number",
        "\"parameters\":{\"timeout\":\"soon\"} | 'timeout' of the request must be a whole number",
        "\"parameters\":{\"timeout\":18446744073709551616} | must be a whole number below 2^64, got 1.8446744073709552E19",
        "\"parameters\":[] | parameters of the request must be an object",
        "\"outputs\":[{\"name\":\"y\",\"parameters\":{\"binary_data\":\"yes\"}}] | 'binary_data' of an output must be true or false",
        "\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":1.5}}] | 'classification' of an output must be a whole number",
      })
  void whatARequestAsksWithAWrongTypeIsRefused(String part, String message) {
    String body =
        "{"
            + part
            + ",\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";

    assertRefused(post("same-u8", body), message);
  }

  @Test
  void dataThatAreThereTwiceAreRefused() {
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2],\"parameters\":{\"binary_data_size\":2}}]}";

    assertRefused(send("same-u8", json, new byte[2]), "has both 'data' and 'binary_data_size'");
  }

  @Test
  void theLargestValuesCanBeAskedForByName() {
    String body =
        """
        {"outputs":[{"name":"sum","parameters":{"classification":2}}],
        "inputs":[{"name":"a","shape":[2,3],"datatype":"FP32","data":[1,9,5,0.5,0.25,-1]},
        {"name":"b","shape":[2,3],"datatype":"FP32","data":[0,0,0,0,0,0]}]}\
        """;

    assertThat(Bytes.json(post("adder", body)))
        .contains(
            "{\"name\":\"sum\",\"datatype\":\"BYTES\",\"shape\":[2,2],\"data\":[\"9.000000:1\",\"5.000000:2\",\"0.500000:0\",\"0.250000:1\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "same-u64 | UINT64 | 18446744073709551615,1 | 18446744073709551615:0,1:1",
        "same-i64 | INT64 | 9007199254740992,9007199254740993 | 9007199254740993:1,9007199254740992:0",
        "same-i64 | INT64 | -9223372036854775808,9223372036854775806 | 9223372036854775806:1,-9223372036854775808:0"
      })
  void classesOfIntegersAreExact(String model, String type, String data, String classes) {
    String body =
        "{\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":2}}],\"inputs\":"
            + "[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"%s\",\"data\":[%s]}]}"
                .formatted(type, data);

    assertThat(Bytes.json(post(model, body)))
        .contains("\"data\":[\"" + classes.replace(",", "\",\"") + "\"]");
  }

  private HttpResponse<byte[]> raw(String model, byte[] body) {
    return Bytes.post(port(), infer(model), body, Bytes.HEADER, "0");
  }

  private HttpResponse<byte[]> send(String model, String json, byte[]... tensors) {
    int length = json.getBytes(StandardCharsets.UTF_8).length;
    return Bytes.post(
        port(), infer(model), Bytes.of(json, tensors), Bytes.HEADER, Integer.toString(length));
  }

  private HttpResponse<byte[]> post(String model, String json) {
    return Bytes.post(port(), infer(model), json.getBytes(StandardCharsets.UTF_8));
  }

  private static String infer(String model) {
    return "/v2/models/" + model + "/infer";
  }

  private static float[] floats(HttpResponse<byte[]> answer) {
    var floats = new float[Bytes.rest(answer).remaining() / 4];
    Bytes.rest(answer).asFloatBuffer().get(floats);
    return floats;
  }

  private static void assertRefused(HttpResponse<byte[]> answer, String message) {
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .startsWith("{\"error\":\"")
        .contains(message);
  }

  private static String x(String datatype, String shape, int bytes) {
    return """
    {"parameters":{"binary_data_output":true},"inputs":[{"name":"x","shape":%s,"datatype":"%s","parameters":{"binary_data_size":%d}}]}\
    """
        .formatted(shape, datatype, bytes);
  }
}
