package io.miniinference.service.inference;

import io.miniinference.service.elements.ElementWriter;
import io.miniinference.service.elements.StringWriter;
import io.miniinference.service.elements.ValueWriter;
import io.miniinference.service.json.JsonWriter;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.OutputTensor;
import java.util.List;

/// Writes responses as JSON: the protocol's keys and no others, since clients reject those.
final class InferResponseWriter {
  private static final int FIRST_BYTES = 512;
  private static final int MOST_BYTES_AT_ONCE = 1 << 28;

  private InferResponseWriter() {}

  /// The JSON of a whole response, so that its length is known before it is sent.
  ///
  /// @param binary one per output: whether its data are left out, to follow the JSON
  /// @param parts those data, in the order of the outputs
  static JsonWriter write(InferResponse response, List<Boolean> binary, List<byte[]> parts) {
    var json = new JsonWriter(FIRST_BYTES + bytes(parts));
    json.beginObject();
    json.property("model_name", response.model());
    json.property("model_version", response.version());
    if (response.id() != null) {
      json.property("id", response.id());
    }
    json.name("outputs");
    json.beginArray();
    writeOutputs(response.outputs(), binary, parts, json);
    json.endArray();
    json.endObject();
    return json;
  }

  private static int bytes(List<byte[]> parts) {
    long bytes = 0;
    for (byte[] part : parts) {
      bytes += part.length;
    }
    return Math.clamp(bytes, 0, MOST_BYTES_AT_ONCE);
  }

  private static void writeOutputs(
      List<OutputTensor> outputs, List<Boolean> binary, List<byte[]> parts, JsonWriter json) {
    int part = 0;
    for (int i = 0; i < outputs.size(); i++) {
      json.beginObject();
      writeHeader(outputs.get(i), json);
      if (binary.get(i)) {
        json.name("parameters");
        json.beginObject();
        json.property("binary_data_size", parts.get(part++).length);
        json.endObject();
      } else {
        writeData(outputs.get(i), json);
      }
      json.endObject();
    }
  }

  private static void writeHeader(OutputTensor output, JsonWriter json) {
    json.property("name", output.name());
    json.property("datatype", output.datatype());
    json.name("shape");
    json.beginArray();
    for (long dim : output.shape()) {
      json.number(dim);
    }
    json.endArray();
  }

  private static void writeData(OutputTensor output, JsonWriter json) {
    json.name("data");
    json.beginArray();
    switch (output) {
      case OutputTensor.Elements numbers ->
          write(
              new ElementWriter(numbers.type(), numbers.data()),
              numbers.data().byteSize() / numbers.type().bytes(),
              json);
      case OutputTensor.Strings strings ->
          write(
              StringWriter.strict(strings.name(), strings.elements()),
              strings.elements().count(),
              json);
    }
    json.endArray();
  }

  private static void write(ValueWriter values, long count, JsonWriter json) {
    for (long i = 0; i < count; i++) {
      values.write(json, i);
    }
  }
}
