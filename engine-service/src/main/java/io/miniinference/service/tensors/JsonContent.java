package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonProblem;
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
  private static final String DATATYPE = "datatype";
  private static final String INPUTS = "inputs";

  static JsonContent of(Path file, byte[] bytes) {
    try {
      var content = new JsonContent(file, MAPPER.readTree(bytes));
      if (content.root.isMissingNode()) {
        throw content.wrong("it is empty");
      }
      return content;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "'%s' cannot be read: %s".formatted(file, JsonProblem.of(bytes, e)), e);
    }
  }

  @Override
  public long rows() {
    return isRequest()
        ? root.path(INPUTS).valueStream().mapToLong(JsonContent::rows).max().orElse(1)
        : rows(root);
  }

  private static long rows(JsonNode content) {
    JsonNode shape = content.path(SHAPE);
    if (shape.isArray()) {
      return shape.path(0).asLong(1);
    }
    JsonNode data = content.isObject() ? content.path(DATA) : content;
    return data.path(0).isArray() ? data.size() : 1;
  }

  private boolean isRequest() {
    return root.path(INPUTS).isArray();
  }

  @Override
  public List<String> inputs() {
    return isRequest()
        ? root.path(INPUTS).valueStream().map(JsonContent::name).toList()
        : List.of();
  }

  private static String name(JsonNode tensor) {
    return tensor.path("name").asString("");
  }

  @Override
  public Tensor tensor(TensorSpec input) {
    JsonNode content = content(input);
    checkType(input, content.path(DATATYPE));
    JsonNode data = data(content);
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

  /* What the service refuses, too. */
  private void checkType(TensorSpec input, JsonNode datatype) {
    String expected = input.v2Name();
    if (datatype.isString() && !expected.isEmpty() && !datatype.asString().equals(expected)) {
      throw wrong(
          "its datatype is '%s', and that of input '%s' is '%s'"
              .formatted(JsonCursor.cut(datatype.asString()), input.name(), expected));
    }
  }

  private JsonNode data(JsonNode content) {
    JsonNode data = content.isObject() ? content.path(DATA) : content;
    if (data.isMissingNode()) {
      throw wrong(
          "it is an object without \"data\": write nested lists, {\"shape\": …, \"data\": …},"
              + " or a request of V2, {\"inputs\": […]}");
    }
    return data;
  }

  private Tensor strings(TensorSpec input, long[] shape, List<JsonNode> values) {
    byte[][] strings = new byte[values.size()][];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = string(input, values.get(i), i);
    }
    return Tensor.of(strings, shape);
  }

  private byte[] string(TensorSpec input, JsonNode value, int position) {
    return JsonStringBytes.of(value)
        .orElseThrow(() ->
            wrong(
                "position %d has %s, which is no string of input '%s', and no {\"b64\": …}"
                    .formatted(position, shown(value), input.name())));
  }

  /// Of a request, the tensor of the input's name.
  private JsonNode content(TensorSpec input) {
    if (!isRequest()) {
      return root;
    }
    return root.path(INPUTS)
        .valueStream()
        .filter(one -> name(one).equals(input.name()))
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
        requireFinite(input, view.realAt(i), i);
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

  /* JSON has no infinity, so none was meant. */
  private void requireFinite(TensorSpec input, double stored, int position) {
    if (!Double.isFinite(stored)) {
      throw wrong(
          "position %d has a number outside the range of %s of input '%s'"
              .formatted(position, input.element(), input.name()));
    }
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
            .formatted(position, shown(number), input.element(), input.name()));
  }

  private static String shown(JsonNode value) {
    return JsonCursor.cut(value.toString());
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("'%s' cannot be read: %s".formatted(file, why));
  }
}
