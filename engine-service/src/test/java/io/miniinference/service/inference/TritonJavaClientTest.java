package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.HeapServiceTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Triton's Java client, as it was published and by the bytes that it puts on its connection: no
/// Content-Type, headers in the order of a hash map, and the keys of its JSON in that of a class.
/// Its mapper refuses answers with a key that it does not know.
final class TritonJavaClientTest extends HeapServiceTest {
  private static final String JSON =
      """
      {"outputs":[{"name":"sum","parameters":{"binary_data":true}}],"inputs":[\
      {"name":"a","datatype":"FP32","shape":[1,3],"parameters":{"binary_data_size":12}},\
      {"name":"b","datatype":"FP32","shape":[1,3],"parameters":{"binary_data_size":12}}]}\
      """;

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void theClientItselfIsAnswered(boolean binaryIn, boolean binaryOut) throws Exception {
    try (var client = new TritonClient(port())) {
      long[] shape = {1, 3};
      List<Object> inputs =
          List.of(
              client.floats("a", shape, new float[] {1, 2, 3}, binaryIn),
              client.floats("b", shape, new float[] {10, 20, 30}, binaryIn));
      for (int i = 0; i < 3; i++) {
        Object answer = client.infer("adder", inputs, List.of(client.output("sum", binaryOut)));
        assertThat(TritonClient.floats(answer, "sum")).containsExactly(11, 22, 33);
      }
    }
  }

  @Test
  void theClientItselfTellsWhatIsWrong() throws Exception {
    try (var client = new TritonClient(port())) {
      List<Object> one = List.of(client.floats("a", new long[] {1, 3}, new float[3], true));

      assertThatThrownBy(() -> client.infer("adder", one, List.of()))
          .hasMessageContaining("expected 2 inputs but got 1 input for model 'adder'");
      assertThatThrownBy(() -> client.infer("nobody", one, List.of()))
          .hasMessageContaining("Request for unknown model: 'nobody' is not found");
    }
  }

  @Test
  void requestsOnOneConnectionAreAnsweredInWhatItsMapperKnows() throws IOException {
    byte[] body = Bytes.of(JSON, Bytes.floats(1, 2, 3), Bytes.floats(10, 20, 30));
    try (var socket = new Socket("localhost", port())) {
      for (int i = 0; i < 3; i++) {
        socket.getOutputStream().write(Bytes.of(head(body.length), body));
        checkAnswer(socket.getInputStream());
      }
    }
  }

  @Test
  void anErrorIsAnErrorAloneAndTheNextRequestOfTheConnectionIsAnswered() throws IOException {
    byte[] bad = Bytes.of(JSON, Bytes.floats(1, 2, 3));
    byte[] good = Bytes.of(JSON, Bytes.floats(1, 2, 3), Bytes.floats(10, 20, 30));
    try (var socket = new Socket("localhost", port())) {
      socket.getOutputStream().write(Bytes.of(head(bad.length), bad));
      InputStream in = socket.getInputStream();
      String answer = head(in);
      JsonNode error =
          JsonMapper.shared().readTree(in.readNBytes(header(answer, "content-length")));
      assertThat(answer).startsWith("http/1.1 400 ");
      assertThat(error.propertyNames()).containsExactly("error");

      socket.getOutputStream().write(Bytes.of(head(good.length), good));
      checkAnswer(in);
    }
  }

  private static String head(int length) {
    return "POST /v2/models/adder/infer HTTP/1.1\r\n"
        + "Inference-Header-Content-Length: %d\r\n".formatted(JSON.length())
        + "Content-Length: %d\r\n".formatted(length)
        + "Host: localhost\r\nConnection: Keep-Alive\r\n"
        + "User-Agent: Apache-HttpAsyncClient/4.1.4 (Java/25)\r\n\r\n";
  }

  private static void checkAnswer(InputStream in) throws IOException {
    String head = head(in);
    byte[] body = in.readNBytes(header(head, "content-length"));
    int length = header(head, "inference-header-content-length");
    JsonNode json = JsonMapper.shared().readTree(body, 0, length);

    assertThat(head).startsWith("http/1.1 200 ").doesNotContain("connection: close");
    assertThat(json.propertyNames()).containsOnly("model_name", "model_version", "outputs");
    assertThat(json.path("outputs").path(0).propertyNames())
        .containsExactlyInAnyOrder("name", "datatype", "shape", "parameters");
    ByteBuffer sums = ByteBuffer.wrap(body, length, 12).slice().order(ByteOrder.LITTLE_ENDIAN);
    assertThat(sums.asFloatBuffer()).isEqualTo(FloatBuffer.wrap(new float[] {11, 22, 33}));
  }

  private static String head(InputStream in) throws IOException {
    var text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("the connection ended: %s", text).isNotNegative();
      text.append((char) next);
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }

  private static int header(String head, String name) {
    return head.lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToInt(line -> Integer.parseInt(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }
}
