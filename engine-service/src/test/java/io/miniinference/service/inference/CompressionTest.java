package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.HeapServiceTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies in the codings of HTTP, both ways.
final class CompressionTest extends HeapServiceTest {
  private static final String INFER = "/v2/models/same-i64/infer";
  private static final String BODY =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[8,2],\"datatype\":\"INT64\",\"data\":["
          + "123456789012345678,".repeat(15)
          + "5]}]}";

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "GZIP", "x-gzip"})
  void aBodyMayBeCompressed(String coding) throws IOException {
    HttpResponse<byte[]> answer =
        Bytes.post(port(), INFER, encoded(coding, text(BODY)), "Content-Encoding", coding);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(Bytes.json(answer)).contains("123456789012345678,5]");
  }

  @Test
  void theLengthOfTheJsonIsThatBeforeItWasCompressed() throws IOException {
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"INT64\",\"parameters\":{\"binary_data_size\":16}}]}";
    byte[] body = encoded("gzip", Bytes.of(json, Bytes.longs(3, 4)));

    HttpResponse<byte[]> answer =
        Bytes.post(
            port(), INFER, body, "Content-Encoding", "gzip", Bytes.HEADER, "" + json.length());

    assertThat(Bytes.json(answer)).contains("\"data\":[3,4]");
  }

  @ParameterizedTest
  @CsvSource({"gzip,gzip", "deflate,deflate", "'br, gzip;q=0.5, deflate;q=0.8',deflate"})
  void anAnswerIsCompressedAsItsClientLikes(String accepted, String coding) throws IOException {
    byte[] rows =
        text(
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[8,2],\"datatype\":\"FP64\",\"data\":["
                + "-1.25e-300,".repeat(15)
                + "5]}],\"outputs\":[{\"name\":\"y\"}],\"id\":\""
                + "i".repeat(2000)
                + "\"}");
    HttpResponse<byte[]> answer =
        Bytes.post(port(), "/v2/models/same-f64/infer", rows, "Accept-Encoding", accepted);

    assertThat(answer.headers().firstValue("content-encoding")).contains(coding);
    assertThat(decoded(coding, answer.body())).contains("-1.25E-300,5.0]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "br", "gzip;q=0", ""})
  void anAnswerIsPlainForClientsThatKnowNoOtherCoding(String accepted) {
    HttpResponse<byte[]> answer =
        Bytes.post(port(), INFER, text(BODY), "Accept-Encoding", accepted);

    assertThat(answer.headers().firstValue("content-encoding")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "gzip, Deflate", "ZSTD"})
  void anUnknownCodingIsRefused(String coding) {
    HttpResponse<byte[]> answer = Bytes.post(port(), INFER, text(BODY), "Content-Encoding", coding);

    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(Bytes.json(answer)).startsWith("{\"error\":\"Content-Encoding '" + coding + "'");
  }

  /// HTTP has lines of one name for a list.
  @Test
  void severalLinesOfCodingsAreOneList() throws IOException {
    byte[] body = encoded("gzip", text(BODY));
    String name = "Content-Encoding";

    assertThat(Bytes.post(port(), INFER, body, name, "identity", name, "gzip").statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> twice =
        Bytes.post(port(), INFER, encoded("gzip", body), name, "gzip", name, "gzip");
    assertThat(twice.statusCode()).isEqualTo(415);
    assertThat(Bytes.json(twice)).contains("Content-Encoding 'gzip, gzip' is not supported");
  }

  @Test
  void whatIsNotInItsCodingIsRefused() throws IOException {
    byte[] whole = encoded("gzip", text(BODY));
    byte[] half = Arrays.copyOf(whole, whole.length / 2);

    for (byte[] body : new byte[][] {text(BODY), half, {}}) {
      HttpResponse<byte[]> answer = Bytes.post(port(), INFER, body, "Content-Encoding", "gzip");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(Bytes.json(answer))
          .startsWith("{\"error\":\"the request's body is not gzip: ")
          .doesNotContain("null");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void aBombIsRefusedWhenItHasGrownToTheBound(String coding) throws IOException {
    HttpResponse<byte[]> answer =
        Bytes.post(port(), INFER, encoded(coding, new byte[40 << 20]), "Content-Encoding", coding);

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(Bytes.json(answer)).contains("longer than 65536 bytes");
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] encoded(String coding, byte[] plain) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        coding.equals("deflate") ? new DeflaterOutputStream(bytes) : new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static String decoded(String coding, byte[] body) throws IOException {
    var in = new ByteArrayInputStream(body);
    try (var plain =
        coding.equals("gzip") ? new GZIPInputStream(in) : new InflaterInputStream(in)) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
