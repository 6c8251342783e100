package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Nested lists of numbers or strings; or a tensor, or a whole request, as the Open Inference
/// Protocol V2 writes them.
record JsonContent(Path file, JsonNode root) implements InputContent {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String DATA = "data";
  private static final String SHAPE = "shape";

  static JsonContent of(Path file, byte[] bytes) {
    try {
      return new JsonContent(file, MAPPER.readTree(bytes));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "'%s' is not JSON: %s".formatted(file, e.getOriginalMessage()), e);
    }
  }

  @Override
  public long rows() {
    JsonNode first = root.path("inputs").isArray() ? root.path("inputs").path(0) : root;
    JsonNode shape = first.path(SHAPE);
    if (shape.isArray()) {
      return shape.path(0).asLong(1);
    }
    return first.path(0).isArray() ? first.size() : 1;
  }

  @Override
  public Tensor tensor(TensorSpec input) {
    JsonNode content = content(input);
    JsonNode data = content.isObject() ? content.path(DATA) : content;
    List<JsonNode> numbers = new ArrayList<>();
    collect(data, numbers);
    long[] shape = shape(input, content, data, numbers.size());
    if (product(shape) != numbers.size()) {
      throw wrong(
          "it has %,d numbers, and %s takes %,d"
              .formatted(numbers.size(), Arrays.toString(shape), product(shape)));
    }
    return input.isOfStrings() ? strings(input, shape, numbers) : filled(input, shape, numbers);
  }

  private Tensor strings(TensorSpec input, long[] shape, List<JsonNode> values) {
    String[] strings = new String[values.size()];
    for (int i = 0; i < strings.length; i++) {
      JsonNode value = values.get(i);
      if (!value.isString()) {
        throw wrong(
            "position %d has %s, which is no string of input '%s'"
                .formatted(i, value, input.name()));
      }
      strings[i] = value.stringValue();
    }
    return Tensor.of(strings, shape);
  }

  /// Of a request, the tensor of the input's name.
  private JsonNode content(TensorSpec input) {
    JsonNode inputs = root.path("inputs");
    if (!inputs.isArray()) {
      return root;
    }
    return inputs
        .valueStream()
        .filter(one -> one.path("name").asString("").equals(input.name()))
        .findFirst()
        .orElseThrow(() -> wrong("its request has no input '" + input.name() + "'"));
  }

  private static void collect(JsonNode data, List<JsonNode> numbers) {
    if (data.isArray()) {
      data.forEach(element -> collect(element, numbers));
    } else {
      numbers.add(data);
    }
  }

  private long[] shape(TensorSpec input, JsonNode content, JsonNode data, int count) {
    if (content.path(SHAPE).isArray()) {
      return content.path(SHAPE).valueStream().mapToLong(this::size).toArray();
    }
    List<Long> nested = new ArrayList<>();
    for (JsonNode level = data; level.isArray(); level = level.path(0)) {
      nested.add((long) level.size());
    }
    requireEven(data, nested, 0);
    return (nested.size() == 1 ? flat(input, count) : Optional.<long[]>empty())
        .orElseGet(() -> nested.stream().mapToLong(Long::longValue).toArray());
  }

  /* Inner lists have the lengths of the first one at their depth. */
  private void requireEven(JsonNode data, List<Long> lengths, int depth) {
    if (depth == lengths.size() ? data.isArray() : data.size() != lengths.get(depth)) {
      throw wrong("its lists at depth " + depth + " are not of one length");
    }
    if (depth < lengths.size()) {
      data.forEach(inner -> requireEven(inner, lengths, depth + 1));
    }
  }

  /// A list without inner lists takes the input's shape, of one row or several.
  private static Optional<long[]> flat(TensorSpec input, int count) {
    long perRow = Math.max(1, product(input.shapeAt(1)));
    return Optional.of(input.shapeAt(Math.max(1, count / perRow)))
        .filter(shape -> product(shape) == count);
  }

  private long size(JsonNode size) {
    if (!size.isIntegralNumber() || !size.canConvertToLong() || size.longValue() < 0) {
      throw wrong("its shape has " + size);
    }
    return size.longValue();
  }

  /// −1 if there are more than any file has.
  private static long product(long[] shape) {
    try {
      return Tensor.elements(shape);
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  private Tensor filled(TensorSpec input, long[] shape, List<JsonNode> numbers) {
    Tensor tensor = Interpreter.allocate(input.element(), shape);
    TensorView view = TensorView.of(tensor);
    for (int i = 0; i < numbers.size(); i++) {
      JsonNode number = numbers.get(i);
      if (input.element().isFloat()) {
        view.realAt(i, real(input, number, i));
      } else {
        view.wholeAt(i, whole(input, number, i));
      }
    }
    return tensor;
  }

  private double real(TensorSpec input, JsonNode number, int position) {
    if (!number.isNumber()) {
      throw misfit(input, number, position);
    }
    return number.doubleValue();
  }

  private long whole(TensorSpec input, JsonNode number, int position) {
    if (number.isBoolean() && input.element() == ElementType.BOOL) {
      return number.booleanValue() ? 1 : 0;
    }
    if (!number.isIntegralNumber()
        || !number.canConvertToLong()
        || !Elements.fits(number.longValue(), input.element())) {
      throw misfit(input, number, position);
    }
    return number.longValue();
  }

  private IllegalArgumentException misfit(TensorSpec input, JsonNode number, int position) {
    return wrong(
        "position %d has %s, which is no %s of input '%s'"
            .formatted(position, number, input.element(), input.name()));
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("'%s' cannot be read: %s".formatted(file, why));
  }
}
