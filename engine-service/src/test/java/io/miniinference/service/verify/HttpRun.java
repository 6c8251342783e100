package io.miniinference.service.verify;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// One data set of a model through a running service, compared as `verify` does.
record HttpRun(Client client, String name, OnnxModel model, DataSet data, Tolerance tolerance) {

  /// What is wrong first, if anything.
  Optional<String> problem() {
    Answer answer = client.infer(name, request());
    if (answer.status() != 200) {
      return Optional.of(data.name() + ": " + answer.status() + " " + answer.body());
    }
    return data.outputs().entrySet().stream()
        .flatMap(o -> difference(o.getKey(), o.getValue(), answer.json().path("outputs")).stream())
        .findFirst()
        .map(text -> data.name() + ": " + text);
  }

  private String request() {
    return data.inputs().entrySet().stream()
        .map(HttpRun::input)
        .collect(Collectors.joining(",", "{\"inputs\":[", "]}"));
  }

  private static String input(Map.Entry<String, OnnxValue> input) {
    Tensor tensor = Values.tensor(input.getValue()).orElseThrow();
    return "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":%s,\"data\":%s}"
        .formatted(
            input.getKey(),
            tensor.element().v2Name(),
            LongStream.of(tensor.shape()).boxed().toList(),
            LongStream.range(0, tensor.elements()).mapToObj(i -> json(tensor, i)).toList());
  }

  private static String json(Tensor tensor, long i) {
    return tensor.element() == ElementType.BOOL
        ? Boolean.toString(Values.whole(tensor, i).signum() != 0)
        : Values.text(tensor, i);
  }

  private Optional<String> difference(int position, OnnxValue value, JsonNode outputs) {
    String output = model.graph().getOutput(position).getName();
    Tensor expected = Values.tensor(value).orElseThrow();
    return StreamSupport.stream(outputs.spliterator(), false)
        .filter(node -> node.path("name").stringValue().equals(output))
        .findFirst()
        .map(node -> Comparison.of(output, expected, tensor(node)).within(tolerance))
        .orElse(Optional.of("output '" + output + "' is missing"));
  }

  private static Tensor tensor(JsonNode output) {
    ElementType element = ElementType.ofV2Name(output.path("datatype").stringValue()).orElseThrow();
    long[] shape =
        StreamSupport.stream(output.path("shape").spliterator(), false)
            .mapToLong(JsonNode::longValue)
            .toArray();
    JsonNode data = output.path("data");
    ByteBuffer bytes =
        ByteBuffer.allocate(data.size() * element.bytes()).order(ByteOrder.nativeOrder());
    data.forEach(value -> put(bytes, element, value));
    return new Tensor(element, shape, MemorySegment.ofArray(bytes.array()));
  }

  private static void put(ByteBuffer bytes, ElementType element, JsonNode value) {
    switch (element) {
      case F32 -> bytes.putFloat((float) real(value));
      case F64 -> bytes.putDouble(real(value));
      case F16 -> bytes.putShort(Float.floatToFloat16((float) real(value)));
      case BF16 -> bytes.putShort((short) (Float.floatToIntBits((float) real(value)) >>> 16));
      case BOOL -> bytes.put((byte) (value.booleanValue() ? 1 : 0));
      case I8, U8 -> bytes.put((byte) value.intValue());
      case I16, U16 -> bytes.putShort((short) value.intValue());
      case I32, U32 -> bytes.putInt((int) value.longValue());
      case I64, U64 -> bytes.putLong(value.bigIntegerValue().longValue());
    }
  }

  /* NaN and infinities come as strings. */
  private static double real(JsonNode value) {
    return value.isString() ? Double.parseDouble(value.stringValue()) : value.doubleValue();
  }
}
