package io.miniinference.service.inference;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.elements.ValueReader;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonCursor.Kind;
import io.miniinference.service.json.UnknownKeys;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.InferRequest;
import io.miniinference.service.serving.InputTensor;
import io.miniinference.service.serving.RequestRules;
import io.miniinference.service.serving.TensorContent;
import io.miniinference.signature.TensorSpec;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// Reads a request of the V1 protocol: `instances`, a list of rows, or `inputs`, whole tensors;
/// both are values for the only input, or objects of values by the inputs' names. Shapes are those
/// of the nested arrays, types those of the model.
final class PredictRequestReader {
  private static final String ROWS = "instances";
  private static final String TENSORS = "inputs";

  private final RequestBody body;
  private final JsonCursor json;
  private final RequestRules rules;
  private final Terms terms;
  private final Map<String, InputTensor> inputs = new LinkedHashMap<>();
  private final UnknownKeys unknown = new UnknownKeys(List.of(ROWS, TENSORS));
  private boolean byRows;
  private boolean found;

  private PredictRequestReader(RequestBody body, RequestRules rules, Terms terms) {
    this.terms = terms;
    this.body = body;
    this.json = new JsonCursor(body.bytes(), 0, body.length());
    this.rules = rules;
  }

  /// A request, and of how many rows its answer is wanted row by row.
  ///
  /// @param rows −1 where whole outputs are wanted
  record Predict(InferRequest request, long rows) {}

  static Predict read(RequestBody body, RequestRules rules, Terms terms) {
    return new PredictRequestReader(body, rules, terms).read();
  }

  private Predict read() {
    if (json.kind() != Kind.OBJECT) {
      throw new InvalidRequestException("the request must be a JSON object, got " + json.excerpt());
    }
    json.object(this::field);
    json.expectEnd();
    if (!found) {
      throw new InvalidRequestException(
          "the request has neither 'instances' nor 'inputs'"
              + unknown.insteadOf(ROWS)
              + unknown.insteadOf(TENSORS));
    }
    var request = new InferRequest(null, rules.complete(inputs), rules.outputs(List.of()), terms);
    return new Predict(request, byRows ? request.inputs().getFirst().shape()[0] : -1);
  }

  private void field(String key) {
    switch (key) {
      case ROWS, TENSORS -> tensors(key);
      default -> {
        unknown.add(key);
        json.skip();
      }
    }
  }

  private void tensors(String key) {
    if (found) {
      throw new InvalidRequestException("the request has more than one 'instances' or 'inputs'");
    }
    found = true;
    byRows = key.equals(ROWS);
    if (byRows) {
      instances();
    } else if (json.kind() == Kind.OBJECT) {
      json.object(name -> whole(name, NestedShape.of(json)));
    } else {
      whole(only(), NestedShape.of(json));
    }
  }

  private String only() {
    if (rules.inputs().size() != 1) {
      throw new InvalidRequestException(
          "the model has %d inputs: send objects of values by their names"
              .formatted(rules.inputs().size()));
    }
    return rules.inputs().getFirst().name();
  }

  private void whole(String name, long[] shape) {
    TensorSpec spec = rules.input(name);
    rules.checkInput(name, spec.v2Name(), shape);
    put(name, shape, value(spec, shape));
  }

  private void put(String name, long[] shape, MemorySegment data) {
    inputs.put(name, new InputTensor(name, shape, TensorContent.of(data)));
  }

  private MemorySegment value(TensorSpec spec, long[] shape) {
    if (shape.length > 0) {
      return new TensorDataReader(spec, shape, elements(shape))
          .read(json, body.length(), rules::strings);
    }
    var memory = MemorySegment.ofArray(new byte[spec.element().bytes()]);
    ValueReader.of(spec, memory, rules::strings).store(json, 0);
    return memory;
  }

  private static long elements(long[] shape) {
    try {
      return Tensor.elements(shape);
    } catch (ArithmeticException e) {
      throw new InvalidRequestException(
          "values of shape %s are too many".formatted(Arrays.toString(shape)));
    }
  }

  private void instances() {
    if (json.kind() != Kind.ARRAY) {
      throw new InvalidRequestException("'instances' must be an array, got " + json.excerpt());
    }
    if (json.isArrayOfObjects() && !isOfBase64()) {
      rows();
    } else {
      String only = only();
      whole(only, NestedShape.of(json, this::requireValue));
    }
  }

  /* Strings may be objects. */
  private void requireValue(long row) {
    if (json.kind() == Kind.OBJECT && !rules.inputs().getFirst().isOfStrings()) {
      throw mixed(row);
    }
  }

  private InvalidRequestException mixed(long row) {
    return new InvalidRequestException(
        "instance %d of 'instances' is %s, and the one before it is %s: either all are objects of values by the inputs' names, or none"
            .formatted(
                row,
                json.kind() == Kind.OBJECT ? "an object" : "none",
                json.kind() == Kind.OBJECT ? "none" : "an object"));
  }

  /* Whether objects are strings of the only input. */
  private boolean isOfBase64() {
    List<TensorSpec> all = rules.inputs();
    return all.size() == 1
        && all.getFirst().isOfStrings()
        && !all.getFirst().name().equals("b64")
        && json.isArrayOfObjects("b64");
  }

  /// The values of one input, row by row.
  private static final class Column {
    final TensorSpec spec;
    final long[] rowShape;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int rows;

    Column(TensorSpec spec, long[] rowShape) {
      this.spec = spec;
      this.rowShape = rowShape;
    }
  }

  private void rows() {
    Map<String, Column> columns = new LinkedHashMap<>();
    int[] count = {0};
    json.array(() -> {
      if (json.kind() != Kind.OBJECT) {
        throw mixed(count[0]);
      }
      count[0]++;
      json.object(name -> cell(name, columns, count[0]));
    });
    columns.forEach((name, column) -> put(name, column, count[0]));
  }

  private void cell(String name, Map<String, Column> columns, int row) {
    Column column =
        columns.computeIfAbsent(name, _ -> new Column(rules.input(name), NestedShape.of(json)));
    if (++column.rows > row) {
      throw new InvalidRequestException(
          "instance %d of 'instances' has '%s' twice".formatted(row - 1, name));
    }
    if (column.rows < row) {
      throw lacking(column.rows - 1, name, row - 1);
    }
    column.bytes.writeBytes(value(column.spec, column.rowShape).toArray(ValueLayout.JAVA_BYTE));
  }

  private void put(String name, Column column, int rows) {
    if (column.rows != rows) {
      throw lacking(column.rows, name, 0);
    }
    long[] shape = LongStream.concat(LongStream.of(rows), LongStream.of(column.rowShape)).toArray();
    rules.checkInput(name, column.spec.v2Name(), shape);
    put(name, shape, MemorySegment.ofArray(column.bytes.toByteArray()));
  }

  private static InvalidRequestException lacking(int row, String name, int other) {
    return new InvalidRequestException(
        "instance %d of 'instances' has no '%s', and instance %d has: each brings every input"
            .formatted(row, name, other));
  }
}
