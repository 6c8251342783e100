package io.miniinference.service.inference;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// Reads an inference request from JSON in one pass, whatever the order of its keys: data go
/// straight into memory of the declared type. Where `data` stand before `shape` and `datatype`,
/// they are skipped and read when those are known.
final class InferRequestReader {
  private static final int MAX_RANK = 64;

  private final byte[] body;
  private final int length;
  private final RequestRules rules;
  private final Map<String, InputTensor> inputs = new LinkedHashMap<>();
  private final List<String> outputs = new ArrayList<>();
  private @Nullable String id;

  private InferRequestReader(RequestBody body, RequestRules rules) {
    this.body = body.bytes();
    this.length = body.length();
    this.rules = rules;
  }

  /// The request in a body.
  ///
  /// @throws InvalidRequestException if it is no JSON, or does not fit the model
  static InferRequest read(RequestBody body, RequestRules rules) {
    try {
      return new InferRequestReader(body, rules).read();
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private static InvalidRequestException malformed(JacksonException e) {
    var where = e.getLocation();
    String place =
        where == null ? "" : " at line " + where.getLineNr() + ", column " + where.getColumnNr();
    return new InvalidRequestException("malformed JSON" + place + ": " + e.getOriginalMessage());
  }

  private InferRequest read() {
    try (JsonParser parser = parserFrom(0)) {
      expect(parser, parser.nextToken(), JsonToken.START_OBJECT, "the request");
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        parser.nextToken();
        readField(parser, key);
      }
      if (parser.nextToken() != null) {
        throw new InvalidRequestException("malformed JSON: something follows the request's object");
      }
    }
    return new InferRequest(id, rules.complete(inputs), rules.outputs(outputs));
  }

  private JsonParser parserFrom(int offset) {
    return V2Json.FACTORY.createParser(ObjectReadContext.empty(), body, offset, length - offset);
  }

  private void readField(JsonParser parser, String key) {
    switch (key) {
      case "id" -> id = string(parser, "id");
      case "inputs" -> forEach(parser, "inputs", () -> readInput(parser));
      case "outputs" -> forEach(parser, "outputs", () -> readOutput(parser));
      default -> parser.skipChildren();
    }
  }

  private static void forEach(JsonParser parser, String what, Runnable element) {
    expect(parser, parser.currentToken(), JsonToken.START_ARRAY, what);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser, parser.currentToken(), JsonToken.START_OBJECT, "each of " + what);
      element.run();
    }
  }

  private void readOutput(JsonParser parser) {
    String name = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      if (key.equals("name")) {
        name = string(parser, "name of an output");
      } else {
        parser.skipChildren();
      }
    }
    if (name == null) {
      throw new InvalidRequestException("each of outputs needs a 'name'");
    }
    outputs.add(name);
  }

  private void readInput(JsonParser parser) {
    var header = new InputHeader();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "name" -> header.name = string(parser, "name of an input");
        case "datatype" -> header.datatype = string(parser, "datatype of an input");
        case "shape" -> header.shape = shape(parser);
        case "data" -> readData(parser, header);
        case "parameters" -> readParameters(parser);
        default -> parser.skipChildren();
      }
    }
    finish(header);
  }

  private void readData(JsonParser parser, InputHeader header) {
    header.dataOffset = (int) parser.currentTokenLocation().getByteOffset();
    if (header.isComplete()) {
      header.data = data(parser, header);
    } else {
      parser.skipChildren();
    }
  }

  private void finish(InputHeader header) {
    header.checkComplete();
    if (header.data == null) {
      try (JsonParser again = parserFrom(header.dataOffset)) {
        again.nextToken();
        header.data = data(again, header);
      }
    }
    inputs.put(header.name(), new InputTensor(header.name(), header.shape(), header.data));
  }

  private MemorySegment data(JsonParser parser, InputHeader header) {
    ElementType element = rules.checkInput(header.name(), header.datatype(), header.shape());
    long elements = elements(header.name(), header.shape());
    var reader = new TensorDataReader(header.name(), element, header.shape(), elements);
    return reader.read(parser, length);
  }

  private static long elements(String input, long[] shape) {
    try {
      return Tensor.elements(shape);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new InvalidRequestException(
          "shape %s of input '%s' is negative or too large to count"
              .formatted(Arrays.toString(shape), input));
    }
  }

  private static void readParameters(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new InvalidRequestException("parameters of an input must be an object");
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (parser.currentName().equals("binary_data_size")) {
        throw new InvalidRequestException(
            "binary tensor data are not supported: send the input's values as JSON 'data'");
      }
      parser.nextToken();
      parser.skipChildren();
    }
  }

  private static long[] shape(JsonParser parser) {
    expect(parser, parser.currentToken(), JsonToken.START_ARRAY, "shape of an input");
    long[] dims = new long[MAX_RANK];
    int rank = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (rank == MAX_RANK) {
        throw new InvalidRequestException(
            "shape of an input has more than " + MAX_RANK + " dimensions");
      }
      dims[rank++] = dimension(parser);
    }
    return Arrays.copyOf(dims, rank);
  }

  private static long dimension(JsonParser parser) {
    boolean whole =
        parser.currentToken() == JsonToken.VALUE_NUMBER_INT
            && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    if (!whole || parser.getLongValue() < 0) {
      throw new InvalidRequestException(
          "shape of an input has " + Excerpt.of(parser) + ", which is no size of a dimension");
    }
    return parser.getLongValue();
  }

  private static String string(JsonParser parser, String what) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw new InvalidRequestException(what + " must be a string, got " + Excerpt.of(parser));
    }
    return parser.getString();
  }

  private static void expect(
      JsonParser parser, @Nullable JsonToken found, JsonToken wanted, String what) {
    if (found != wanted) {
      String kind = wanted == JsonToken.START_OBJECT ? "object" : "array";
      throw new InvalidRequestException(
          what + " must be a JSON " + kind + ", got " + Excerpt.of(parser));
    }
  }
}
