package io.miniinference.service.inference;

import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.OutputTensor;
import java.io.ByteArrayOutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/// Writes responses as JSON: the protocol's keys and no others, since clients reject those. Floats
/// have the fewest digits that give the same float back. JSON has no NaN and no infinities: they
/// are written as the strings that protobuf's JSON mapping uses, `"NaN"`, `"Infinity"` and
/// `"-Infinity"`.
final class InferResponseWriter {
  private InferResponseWriter() {}

  /// The JSON of a whole response, so that its length is known before it is sent.
  ///
  /// @param binary one per output: whether its data are left out, to follow the JSON
  /// @param parts those data, in the order of the outputs
  static ByteArrayOutputStream write(
      InferResponse response, List<Boolean> binary, List<byte[]> parts) {
    var out = new ByteArrayOutputStream(1 << 10);
    try (JsonGenerator json = V2Json.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("model_name", response.model());
      json.writeStringProperty("model_version", response.version());
      if (response.id() != null) {
        json.writeStringProperty("id", response.id());
      }
      json.writeName("outputs");
      json.writeStartArray();
      writeOutputs(response.outputs(), binary, parts, json);
      json.writeEndArray();
      json.writeEndObject();
    }
    return out;
  }

  private static void writeOutputs(
      List<OutputTensor> outputs, List<Boolean> binary, List<byte[]> parts, JsonGenerator json) {
    int part = 0;
    for (int i = 0; i < outputs.size(); i++) {
      json.writeStartObject();
      writeHeader(outputs.get(i), json);
      if (binary.get(i)) {
        json.writeName("parameters");
        json.writeStartObject();
        json.writeNumberProperty("binary_data_size", parts.get(part++).length);
        json.writeEndObject();
      } else {
        writeData(outputs.get(i), json);
      }
      json.writeEndObject();
    }
  }

  private static void writeHeader(OutputTensor output, JsonGenerator json) {
    json.writeStringProperty("name", output.name());
    json.writeStringProperty("datatype", output.datatype());
    json.writeName("shape");
    json.writeArray(output.shape(), 0, output.shape().length);
  }

  private static void writeData(OutputTensor output, JsonGenerator json) {
    json.writeName("data");
    json.writeStartArray();
    switch (output) {
      case OutputTensor.Elements elements ->
          new ElementWriter(elements.type(), elements.data()).writeAll(json);
      case OutputTensor.Texts texts -> texts.texts().forEach(json::writeString);
    }
    json.writeEndArray();
  }
}
