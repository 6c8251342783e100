package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.miniinference.bench.peer.Feed;
import io.miniinference.ir.Tensor;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How requests are sent, and what becomes of answers. The bytes are made once: a client that
/// formats its requests would measure itself.
enum Protocol {
  BINARY,
  JSON,
  /// The message `ModelInferRequest`, with raw contents.
  GRPC;

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Sends a feed to a model of a service again and again.
  Load load(String subject, Service service, String model, Feed feed) {
    byte[] request = request(model, feed);
    return this == GRPC
        ? new Load(subject, service.grpc(), 1, () -> new GrpcExchange(request))
        : new Load(subject, service.http(), 1, () -> new HttpExchange(() -> request));
  }

  /// The whole request of HTTP, the message of gRPC.
  byte[] request(String model, Feed feed) {
    return switch (this) {
      case BINARY -> binary(model, feed);
      case JSON -> json(model, feed);
      case GRPC -> grpc(model, feed);
    };
  }

  /// The numbers of an answer with one output of floats.
  ///
  /// @param count how many there are
  float[] numbers(byte[] body, int count) {
    float[] numbers = new float[count];
    if (this == JSON) {
      JsonNode data = JsonMapper.shared().readTree(body).path("outputs").path(0).path("data");
      for (int i = 0; i < count; i++) {
        numbers[i] = data.path(i).floatValue();
      }
    } else {
      int from = Math.max(0, body.length - count * Float.BYTES);
      ByteBuffer last = ByteBuffer.wrap(body, from, body.length - from).slice();
      last.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(numbers);
    }
    return numbers;
  }

  private static byte[] binary(String model, Feed feed) {
    var data = new ByteArrayOutputStream();
    feed.inputs().forEach(input -> data.writeBytes(bytes(input.tensor())));
    String size = "\"parameters\":{\"binary_data_size\":%d}";
    byte[] json =
        "{\"inputs\":[%s],\"parameters\":{\"binary_data_output\":true}}"
            .formatted(inputs(feed, tensor -> size.formatted(tensor.data().byteSize())))
            .getBytes(US_ASCII);
    String header = "Inference-Header-Content-Length: " + json.length + "\r\n";
    return post(model, header, joined(json, data.toByteArray()));
  }

  private static byte[] json(String model, Feed feed) {
    String inputs =
        inputs(feed, tensor -> "\"data\":" + Arrays.toString(tensor.data().toArray(FLOAT)));
    return post(model, "", "{\"inputs\":[%s]}".formatted(inputs).getBytes(US_ASCII));
  }

  /* In JSON, each with the field that has its content or says where that is. */
  private static String inputs(Feed feed, Function<Tensor, String> content) {
    return feed.inputs().stream()
        .map(input ->
            "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",%s}"
                .formatted(
                    input.name(),
                    Arrays.toString(input.tensor().shape()),
                    input.tensor().element().v2Name(),
                    content.apply(input.tensor())))
        .collect(Collectors.joining(","));
  }

  private static byte[] post(String model, String header, byte[] body) {
    String head =
        "POST /v2/models/%s/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(model, body.length, header);
    return joined(head.getBytes(US_ASCII), body);
  }

  private static byte[] grpc(String model, Feed feed) {
    byte[] message = field(1, model.getBytes(US_ASCII));
    byte[] contents = {};
    for (Feed.Input input : feed.inputs()) {
      var shape = new ByteArrayOutputStream();
      Arrays.stream(input.tensor().shape()).forEach(size -> shape.writeBytes(varint(size)));
      byte[] name = field(1, input.name().getBytes(US_ASCII));
      byte[] type = field(2, input.tensor().element().v2Name().getBytes(US_ASCII));
      message = joined(message, field(5, joined(name, type, field(3, shape.toByteArray()))));
      contents = joined(contents, field(7, bytes(input.tensor())));
    }
    return joined(message, contents);
  }

  /* A field of protobuf that has a length: its number, the length, the bytes. */
  private static byte[] field(int number, byte[] value) {
    return joined(varint(number << 3 | 2), varint(value.length), value);
  }

  /* A number in groups of seven bits. */
  private static byte[] varint(long value) {
    var bytes = new ByteArrayOutputStream();
    long left = value;
    for (; left >= 0x80; left >>>= 7) {
      bytes.write((int) left | 0x80);
    }
    bytes.write((int) left);
    return bytes.toByteArray();
  }

  private static byte[] bytes(Tensor tensor) {
    return tensor.data().toArray(ValueLayout.JAVA_BYTE);
  }

  static byte[] joined(byte[]... parts) {
    var bytes = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }
}
