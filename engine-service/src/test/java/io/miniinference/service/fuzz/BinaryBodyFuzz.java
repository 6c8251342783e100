package io.miniinference.service.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Bodies of V2 with binary tensors: a byte for the model, a byte for the encoding that a header
/// names, a line with the length that the other header says, then the body.
public final class BinaryBodyFuzz extends ServiceFuzz {
  private static final List<String> ENCODINGS = List.of("", "gzip", "deflate", "br");

  private final HttpWire wire = new HttpWire(SERVICE.port());

  @Override
  public List<byte[]> seeds() {
    return MODELS.stream()
        .filter(model -> model.inputs().stream().allMatch(BinaryBodyFuzz::isPlain))
        .map(BinaryBodyFuzz::seed)
        .toList();
  }

  private static boolean isPlain(String[] input) {
    return input[1].equals("FP32") || input[1].equals("INT64");
  }

  private static byte[] seed(FuzzedModel model) {
    ByteArrayOutputStream binary = new ByteArrayOutputStream();
    String json =
        model.inputs().stream()
            .map(input -> {
              byte[] data = data(input);
              binary.writeBytes(data);
              return "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"parameters\":{\"binary_data_size\":%d}}"
                  .formatted(input[0], input[1], input[2], data.length);
            })
            .collect(
                Collectors.joining(
                    ",", "{\"parameters\":{\"binary_data_output\":true},\"inputs\":[", "]}"));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(JsonBodyFuzz.input(model, "\0" + json.length() + "\n" + json));
    all.writeBytes(binary.toByteArray());
    return all.toByteArray();
  }

  private static byte[] data(String[] input) {
    String[] values = input[3].substring(1, input[3].length() - 1).split(",");
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (String value : values) {
      if (input[1].equals("INT64")) {
        bytes.putLong(Long.parseLong(value));
      } else {
        bytes.putFloat(Float.parseFloat(value));
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    byte[] rest = JsonBodyFuzz.rest(JsonBodyFuzz.rest(input));
    int end = 0;
    while (end < rest.length && end < 40 && rest[end] >= ' ') {
      end++;
    }
    String length = new String(rest, 0, end, StandardCharsets.ISO_8859_1);
    byte[] body = Arrays.copyOfRange(rest, Math.min(end + 1, rest.length), rest.length);
    String encoding =
        ENCODINGS.get(input.length < 2 ? 0 : Math.floorMod(input[1], ENCODINGS.size()));
    String headers =
        "Inference-Header-Content-Length: "
            + length
            + "\r\n"
            + (encoding.isEmpty() ? "" : "Content-Encoding: " + encoding + "\r\n");
    HttpWire.Answer answer =
        wire.post("/v2/models/" + JsonBodyFuzz.model(input).name() + "/infer", headers, body);
    return check(answer.status(), answer.body(), input);
  }
}
