package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.HeapServiceTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens to a connection after a request was refused.
final class ConnectionTest extends HeapServiceTest {
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}";
  private static final int PATIENCE_MILLIS = 30_000;

  private record Answer(String status, String headers, String body) {}

  @Test
  void requestsBehindABadOneAreAnswered() throws IOException {
    try (Socket socket = open()) {
      send(socket, post("/v2/models/same-u8/infer", GOOD));
      send(socket, post("/v2/models/same-u8/infer", "{"));
      send(socket, post("/v2/models/nobody/infer", GOOD));
      send(socket, post("/v2/models/same-u8/infer", GOOD));
      var in = reader(socket);

      assertThat(read(in).status()).contains("200");
      Answer bad = read(in);
      assertThat(bad.status()).contains("400");
      assertThat(bad.body()).startsWith("{\"error\":");
      assertThat(bad.headers()).doesNotContain("connection: close");
      assertThat(read(in).status()).contains("404");
      assertThat(read(in).body()).contains("\"data\":[1,2]");
    }
  }

  @Test
  void aBodyThatWasRefusedForItsLengthIsReadToItsEnd() throws IOException {
    try (Socket socket = open()) {
      send(socket, post("/v2/models/same-u8/infer", " ".repeat(100_000)));
      send(socket, post("/v2/models/same-u8/infer", GOOD));
      var in = reader(socket);

      assertThat(read(in).status()).contains("413");
      assertThat(read(in).status()).contains("200");
    }
  }

  @Test
  void aHeadThatIsTooLongIsToldSo() throws IOException {
    String filler = "a".repeat(10_000);
    Answer header = refused("GET /v2 HTTP/1.1\r\nHost: h\r\nX: " + filler + "\r\n\r\n");
    assertThat(header.status()).contains(" 431");
    assertThat(header.body())
        .isEqualTo(
            "{\"error\":\"Request Header Fields Too Large (server.max-http-request-header-size)\"}");
    Answer target = refused("GET /v2?" + filler + " HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(target.status()).contains(" 414");
    assertThat(target.body())
        .isEqualTo("{\"error\":\"URI Too Long (server.max-http-request-header-size)\"}");
    Answer none = refused("GET /v2 HTTP/1.1\r\n\r\n");
    assertThat(none.status()).contains(" 400");
    assertThat(none.body()).contains("no header Host");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v2/models/a%2Fb | Host: h | 400 | an encoded slash, backslash or zero byte",
        "/v2/models/a%5cb | Host: h | 400 | an encoded slash, backslash or zero byte",
        "/v2/models/a%00 | Host: h | 400 | an encoded slash, backslash or zero byte",
        "/v2/models/{x} | Host: h | 400 | all else percent-encoded",
        "/v2?name=\"a\" | Host: h | 400 | all else percent-encoded",
        "/v2 | Host: a; Host: b | 400 | the request has the header Host 2 times",
        "/v2 | Host: a; Content-Length: 1; Content-Length: 2 | 400 | the header Content-Length 2 times",
      })
  void whatTomcatRefusesIsToldWithItsReason(
      String target, String headers, int status, String reason) throws IOException {
    Answer answer =
        refused("GET " + target + " HTTP/1.1\r\n" + headers.replace("; ", "\r\n") + "\r\n\r\n");

    assertThat(answer.status()).contains(" " + status);
    assertThat(answer.body()).startsWith("{\"error\":").contains(reason);
  }

  @Test
  void tooManyHeadersAreToldSo() throws IOException {
    Answer answer = refused("GET /v2 HTTP/1.1\r\nHost: h\r\n" + "X: 1\r\n".repeat(150) + "\r\n");

    assertThat(answer.status()).contains(" 431");
    assertThat(answer.body()).isEqualTo("{\"error\":\"the request has more than 100 headers\"}");
  }

  @Test
  void whatActuatorRefusesIsToldAndKeepsTheConnection() throws IOException {
    try (Socket socket = open()) {
      send(socket, "GET /actuator/plans/adder?batch=x HTTP/1.1\r\nHost: h\r\n\r\n");
      send(socket, "GET /actuator/plans/adder?batch=99 HTTP/1.1\r\nHost: h\r\n\r\n");
      send(socket, post("/v2/models/same-u8/infer", GOOD));
      var in = reader(socket);

      Answer wrong = read(in);
      assertThat(wrong.status()).contains(" 400");
      assertThat(wrong.body())
          .isEqualTo("{\"error\":\"parameter 'batch' is 'x', which is no Integer\"}");
      assertThat(read(in).body()).isEqualTo("{\"error\":\"batch 99 is outside [1, 8]\"}");
      assertThat(read(in).body()).contains("\"data\":[1,2]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health?=2", "/actuator/metrics?a=%zz", "/actuator/info?%"})
  void parametersThatCannotBeReadAreTheClientsMistake(String target) throws IOException {
    Answer answer = refused("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(answer.status()).contains(" 400");
    assertThat(answer.body()).startsWith("{\"error\":").contains("NAME=VALUE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v2/models/%zz", "/v2;%zz/models", "/v2/models;%", "/;a=%a", "/docs;%-1"})
  void anAddressThatCannotBeReadIsTheClientsMistake(String address) throws IOException {
    try (Socket socket = open()) {
      send(socket, post(address, GOOD));
      send(socket, "GET " + address + " HTTP/1.1\r\nHost: h\r\n\r\n");
      send(socket, post("/v2/models/same-u8;a=%41/infer", GOOD));
      var in = reader(socket);

      for (Answer bad : List.of(read(in), read(in))) {
        assertThat(bad.status()).contains(" 400");
        assertThat(bad.body()).startsWith("{\"error\":").contains("two hexadecimal digits");
      }
      assertThat(read(in).body()).contains("\"data\":[1,2]");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"triton_server_1:8000", "my_service", "my_service.default:80", "1_2", "_"})
  void namesOfContainersAreHosts(String host) throws IOException {
    Answer answer = refused("GET /actuator HTTP/1.1\r\nHost: " + host + "\r\n\r\n");

    assertThat(answer.status()).contains(" 200");
    assertThat(answer.body()).contains("\"http://" + host.replaceFirst(":80$", "") + "/actuator\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a_b c", "a_b:x", "a_b/c", "a_b:80:80", "_:_"})
  void whatIsNoHostIsRefused(String host) throws IOException {
    assertThat(refused("GET /v2 HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status()).contains(" 400");
  }

  private Answer refused(String request) throws IOException {
    try (Socket socket = open()) {
      send(socket, request);
      return read(reader(socket));
    }
  }

  @Test
  void whatIsNoHttpIsRefusedInTheWordsOfTheProtocol() throws IOException {
    try (Socket socket = open()) {
      send(socket, "GET /v2/models/{x} HTTP/1.1\r\nHost: h\r\n\r\n");
      Answer answer = read(reader(socket));

      assertThat(answer.status()).contains("400");
      assertThat(answer.body()).doesNotContain("<html");
    }
  }

  @Test
  void aChunkedBodyThatIsNoneEndsTheConnection() throws IOException {
    try (Socket socket = open()) {
      send(
          socket,
          "POST /v2/models/same-u8/infer HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
      var in = reader(socket);
      Answer answer = read(in);

      assertThat(answer.status()).contains("400");
      assertThat(answer.body())
          .startsWith("{\"error\":\"the request's body is not as HTTP has it: ");
      assertThat(in.read()).isNegative();
    }
  }

  @Test
  void aClientThatAsksFirstIsRefusedBeforeItSendsItsBody() throws IOException {
    try (Socket socket = open()) {
      send(socket, asking(100_000));
      var in = reader(socket);
      Answer refusal = read(in);

      assertThat(refusal.status()).contains("413");
      assertThat(refusal.headers()).contains("connection: close");
      assertThat(in.read()).isNegative();
    }
  }

  @Test
  void aClientThatAsksFirstIsToldToContinue() throws IOException {
    try (Socket socket = open()) {
      send(socket, asking(GOOD.length()));
      var in = reader(socket);
      assertThat(read(in).status()).contains("100");
      send(socket, GOOD);

      assertThat(read(in).status()).contains("200");
    }
  }

  private static String asking(int length) {
    return "POST /v2/models/same-u8/infer HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private Socket open() throws IOException {
    var socket = new Socket("localhost", port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: h\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  private static Answer read(BufferedReader in) throws IOException {
    String status = String.valueOf(in.readLine());
    var headers = new StringBuilder();
    int length = 0;
    boolean chunked = false;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      String header = line.toLowerCase(Locale.ROOT);
      headers.append(header).append('\n');
      chunked |= header.equals("transfer-encoding: chunked");
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).strip());
      }
    }
    if (chunked) {
      return new Answer(status, headers.toString(), chunks(in));
    }
    char[] body = new char[length];
    int count = 0;
    while (count < length) {
      int more = in.read(body, count, length - count);
      assertThat(more).as("%s: bytes of the body", status).isPositive();
      count += more;
    }
    return new Answer(status, headers.toString(), new String(body));
  }

  private static String chunks(BufferedReader in) throws IOException {
    var body = new StringBuilder();
    for (String size = in.readLine(); !"0".equals(size); size = in.readLine()) {
      body.append(in.readLine());
    }
    in.readLine();
    return body.toString();
  }
}
