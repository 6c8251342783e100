package io.miniinference.bench.serving;

import module com.google.protobuf;
import module java.base;
import module tools.jackson.databind;

import com.google.protobuf.UnknownFieldSet.Field;
import io.miniinference.bench.models.Feed;
import io.miniinference.ir.Tensor;

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
    if (this == GRPC) {
      return message(model, feed);
    }
    byte[] json = json(feed);
    var body = new ByteArrayOutputStream();
    body.writeBytes(json);
    if (this == BINARY) {
      feed.inputs().forEach(input -> body.writeBytes(bytes(input.tensor())));
    }
    String head =
        "POST /v2/models/%s/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(
                model,
                body.size(),
                this == BINARY ? "Inference-Header-Content-Length: " + json.length + "\r\n" : "");
    return joined(head.getBytes(StandardCharsets.US_ASCII), body.toByteArray());
  }

  /// The numbers of an answer with one output of floats.
  ///
  /// @param count how many there are
  float[] numbers(byte[] body, int count) {
    JsonMapper mapper = JsonMapper.shared();
    return this == JSON
        ? mapper.treeToValue(mapper.readTree(body).at("/outputs/0/data"), float[].class)
        : MemorySegment.ofArray(body).asSlice(body.length - 4L * count).toArray(FLOAT);
  }

  /* Inputs have their content with them, or the size of what lies behind the JSON. */
  private byte[] json(Feed feed) {
    ObjectNode request = JsonMapper.shared().createObjectNode();
    ArrayNode inputs = request.putArray("inputs");
    for (Feed.Input input : feed.inputs()) {
      Tensor tensor = input.tensor();
      ObjectNode told = inputs.addObject().put("name", input.name());
      told.put("datatype", tensor.element().v2Name()).putPOJO("shape", tensor.shape());
      if (this == BINARY) {
        told.putObject("parameters").put("binary_data_size", tensor.data().byteSize());
      } else {
        told.putPOJO("data", tensor.data().toArray(FLOAT));
      }
    }
    if (this == BINARY) {
      request.putObject("parameters").put("binary_data_output", true);
    }
    return JsonMapper.shared().writeValueAsBytes(request);
  }

  private static byte[] message(String model, Feed feed) {
    Field.Builder inputs = Field.newBuilder();
    Field.Builder contents = Field.newBuilder();
    for (Feed.Input input : feed.inputs()) {
      Field.Builder shape = Field.newBuilder();
      Arrays.stream(input.tensor().shape()).forEach(shape::addVarint);
      UnknownFieldSet.Builder told = UnknownFieldSet.newBuilder().addField(1, text(input.name()));
      told.addField(2, text(input.tensor().element().v2Name())).addField(3, shape.build());
      inputs.addLengthDelimited(told.build().toByteString());
      contents.addLengthDelimited(ByteString.copyFrom(bytes(input.tensor())));
    }
    UnknownFieldSet.Builder message = UnknownFieldSet.newBuilder().addField(1, text(model));
    message.addField(5, inputs.build()).addField(7, contents.build());
    return message.build().toByteArray();
  }

  private static Field text(String value) {
    return Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8(value)).build();
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
