package io.miniinference.bench.serving;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How a single image is sent to `mnist-cnn`, and what becomes of the answer. The bytes are made
/// once: a client that formats its requests would measure itself.
enum Protocol {
  BINARY {
    @Override
    byte[] request(String model) {
      String json =
          HEAD
              + "\"parameters\":{\"binary_data_size\":"
              + PIXELS.length
              + "}}],\"parameters\":{\"binary_data_output\":true}}";
      String length = "Inference-Header-Content-Length: " + json.length() + "\r\n";
      return post(model, length, bytes(json), PIXELS);
    }

    @Override
    float[] scores(byte[] body) {
      return last(body);
    }
  },
  JSON {
    @Override
    byte[] request(String model) {
      float[] pixels = new float[PIXELS.length / Float.BYTES];
      ByteBuffer.wrap(PIXELS).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(pixels);
      return post(model, "", bytes(HEAD + "\"data\":" + Arrays.toString(pixels) + "}]}"));
    }

    @Override
    float[] scores(byte[] body) {
      JsonNode data = JsonMapper.shared().readTree(body).path("outputs").path(0).path("data");
      float[] scores = new float[data.size()];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = data.path(i).floatValue();
      }
      return scores;
    }
  },
  /// The message `ModelInferRequest`, with raw contents.
  GRPC {
    @Override
    byte[] request(String model) {
      byte[] shape = {1, 1, 28, 28};
      byte[] input = joined(field(1, bytes("Input3")), field(2, bytes("FP32")), field(3, shape));
      return joined(field(1, bytes(model)), field(5, input), field(7, PIXELS));
    }

    @Override
    float[] scores(byte[] body) {
      return last(body);
    }

    @Override
    Supplier<Exchange> exchanges(String model) {
      byte[] message = request(model);
      return () -> new GrpcExchange(message);
    }
  };

  /// A model that answers the same bytes to all: what HTTP alone costs.
  static final String ECHO = "echo";

  private static final int SCORES = 10;
  private static final String HEAD =
      "{\"inputs\":[{\"name\":\"Input3\",\"shape\":[1,1,28,28],\"datatype\":\"FP32\",";
  private static final byte[] PIXELS = pixels();

  private static byte[] pixels() {
    ByteBuffer data = ByteBuffer.allocate(28 * 28 * 4).order(ByteOrder.LITTLE_ENDIAN);
    var random = new SplittableRandom(1);
    while (data.hasRemaining()) {
      data.putFloat((float) random.nextDouble());
    }
    return data.array();
  }

  /// What is sent for one image: the whole request of HTTP, the message of gRPC.
  abstract byte[] request(String model);

  /// The ten scores of an answer's body.
  abstract float[] scores(byte[] body);

  /// Makes the state of one connection.
  Supplier<Exchange> exchanges(String model) {
    byte[] request = request(model);
    return () -> new HttpExchange(request);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static byte[] post(String model, String header, byte[]... body) {
    byte[] whole = joined(body);
    String head =
        "POST /v2/models/%s/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(model, whole.length, header);
    return joined(bytes(head), whole);
  }

  private static float[] last(byte[] body) {
    ByteBuffer all = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    float[] scores = new float[SCORES];
    all.position(Math.max(0, body.length - SCORES * Float.BYTES));
    all.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(scores);
    return scores;
  }

  /* A field of protobuf that has a length: its number, the length in groups of seven bits, the bytes. */
  private static byte[] field(int number, byte[] value) {
    var bytes = new ByteArrayOutputStream();
    bytes.write(number << 3 | 2);
    int left = value.length;
    for (; left >= 0x80; left >>>= 7) {
      bytes.write(left | 0x80);
    }
    bytes.write(left);
    bytes.writeBytes(value);
    return bytes.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] joined(byte[]... parts) {
    var bytes = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }
}
