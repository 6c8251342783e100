package io.miniinference.service.inference;

import io.miniinference.service.inference.InferResponse.OutputTensor;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/// Writes responses as JSON: the protocol's keys and no others, since clients reject those. Floats
/// have the fewest digits that give the same float back. JSON has no NaN and no infinities: they
/// are written as the strings that protobuf's JSON mapping uses, `"NaN"`, `"Infinity"` and
/// `"-Infinity"`.
final class InferResponseWriter {
  private InferResponseWriter() {}

  /// The whole response, so that its length is known before it is sent.
  static ByteArrayOutputStream write(InferResponse response) {
    var out = new ByteArrayOutputStream(1 << 10);
    write(response, out);
    return out;
  }

  private static void write(InferResponse response, OutputStream out) {
    try (JsonGenerator json = V2Json.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("model_name", response.model());
      json.writeStringProperty("model_version", response.version());
      if (response.id() != null) {
        json.writeStringProperty("id", response.id());
      }
      json.writeName("outputs");
      json.writeStartArray();
      response.outputs().forEach(output -> write(output, json));
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(OutputTensor output, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", output.name());
    json.writeStringProperty("datatype", output.type().v2Name());
    json.writeName("shape");
    json.writeArray(output.shape(), 0, output.shape().length);
    json.writeName("data");
    json.writeStartArray();
    new ElementWriter(output.type(), output.data()).writeAll(json);
    json.writeEndArray();
    json.writeEndObject();
  }
}
