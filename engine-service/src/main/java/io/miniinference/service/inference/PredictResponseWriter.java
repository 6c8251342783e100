package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.elements.ElementWriter;
import io.miniinference.service.elements.StringWriter;
import io.miniinference.service.elements.ValueWriter;
import io.miniinference.service.json.JsonWriter;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.OutputTensor;
import java.util.List;
import java.util.function.Consumer;

/// Writes responses of the V1 protocol: `predictions`, one per row, or `outputs`, whole tensors; by
/// name if there are several outputs.
final class PredictResponseWriter {
  private final List<OutputTensor> outputs;
  private final JsonWriter json;

  private PredictResponseWriter(List<OutputTensor> outputs, JsonWriter json) {
    this.outputs = outputs;
    this.json = json;
  }

  /// @param rows of the request, of each of which the outputs have one; −1 for whole outputs
  static JsonWriter write(InferResponse response, long rows) {
    var json = new JsonWriter(1 << 10);
    var writer = new PredictResponseWriter(response.outputs(), json);
    json.beginObject();
    if (rows >= 0) {
      writer.predictions(rows);
    } else {
      writer.outputs();
    }
    json.endObject();
    return json;
  }

  private static ValueWriter values(OutputTensor output) {
    return switch (output) {
      case OutputTensor.Elements numbers -> new ElementWriter(numbers.type(), numbers.data());
      case OutputTensor.Strings strings ->
          StringWriter.withBase64(strings.name(), strings.elements());
    };
  }

  private void predictions(long rows) {
    requireRows(rows);
    json.name("predictions");
    json.beginArray();
    for (long row = 0; row < rows; row++) {
      long at = row;
      tensors(output -> nested(output, 1, at * rowElements(output)));
    }
    json.endArray();
  }

  private void requireRows(long rows) {
    boolean agree = outputs.stream().allMatch(o -> o.shape().length > 0 && o.shape()[0] == rows);
    if (!agree) {
      throw new InvalidRequestException(
          "the model's outputs have no rows: ask with 'inputs' instead of 'instances'");
    }
  }

  private static long rowElements(OutputTensor output) {
    long elements = 1;
    for (int axis = 1; axis < output.shape().length; axis++) {
      elements *= output.shape()[axis];
    }
    return elements;
  }

  private void outputs() {
    json.name("outputs");
    tensors(output -> nested(output, 0, 0));
  }

  private void tensors(Consumer<OutputTensor> tensor) {
    if (outputs.size() == 1) {
      tensor.accept(outputs.getFirst());
      return;
    }
    json.beginObject();
    for (OutputTensor output : outputs) {
      json.name(output.name());
      tensor.accept(output);
    }
    json.endObject();
  }

  private void nested(OutputTensor output, int axis, long first) {
    nested(output.shape(), axis, first, values(output));
  }

  /* Writes the part that begins at `first`, and returns where it ends. */
  private long nested(long[] shape, int axis, long first, ValueWriter elements) {
    if (axis == shape.length) {
      elements.write(json, first);
      return first + 1;
    }
    json.beginArray();
    long at = first;
    for (long i = 0; i < shape[axis]; i++) {
      at = nested(shape, axis + 1, at, elements);
    }
    json.endArray();
    return at;
  }
}
