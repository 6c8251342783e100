package io.miniinference.service.inference;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.elements.WireStrings;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonCursor.Kind;
import io.miniinference.service.json.JsonNumber;
import io.miniinference.service.json.UnknownKeys;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.BooleanBytes;
import io.miniinference.service.serving.InferRequest;
import io.miniinference.service.serving.InputTensor;
import io.miniinference.service.serving.Parameters;
import io.miniinference.service.serving.RequestRules;
import io.miniinference.service.serving.RequestedOutput;
import io.miniinference.service.serving.TensorContent;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads an inference request in one pass, whatever the order of its keys: JSON numbers go straight
/// into memory of the declared type, binary data stay where they are. Where `data` stand before
/// `shape` and `datatype`, they are skipped and read when those are known.
final class InferRequestReader {
  private static final List<String> KEYS = List.of("id", "inputs", "outputs", "parameters");

  /// What need not be there may as well be null: clients that write all of their fields do so.
  private static final Set<String> OPTIONAL = Set.of("id", "outputs", "parameters");

  private static final int MAX_RANK = 64;
  private static final int MOST_OUTPUTS = 4096;

  private final RequestBody body;
  private final JsonCursor json;
  private final RequestRules rules;
  private final Terms terms;
  private final BinaryPart binary;
  private final Map<String, InputTensor> inputs = new LinkedHashMap<>();
  private final List<RequestedOutput> outputs = new ArrayList<>();
  private Parameters parameters = new Parameters("the request");
  private final UnknownKeys unknown = new UnknownKeys(KEYS);
  private boolean hasInputs;
  private @Nullable String id;

  private InferRequestReader(RequestBody body, RequestRules rules, Terms terms) {
    this.terms = terms;
    this.body = body;
    this.json = new JsonCursor(body.bytes(), 0, body.jsonLength());
    this.rules = rules;
    this.binary = new BinaryPart(body);
  }

  /// The request in a body.
  ///
  /// @param terms on which it is served, where it says nothing of that
  /// @throws InvalidRequestException if it is malformed, or does not fit the model
  static RestRequest read(RequestBody body, RequestRules rules, Terms terms) {
    return body.isRaw()
        ? RawRequest.read(body, rules, terms)
        : new InferRequestReader(body, rules, terms).read();
  }

  private RestRequest read() {
    if (body.beginsAsNoText()) {
      throw new InvalidRequestException(
          "malformed JSON: the body begins with the byte 0x%02x; send a request in JSON, or the bytes of the one input's elements alone with the header %s: 0 (a picture is neither: it has to be decoded)"
              .formatted(body.bytes()[0], BinaryHeader.NAME));
    }
    expect(Kind.OBJECT, "the request");
    fields(this::readField);
    json.expectEnd();
    List<InputTensor> complete =
        rules.complete(inputs, hasInputs ? "" : unknown.insteadOf("inputs"));
    binary.checkEnd();
    var request = new InferRequest(id, complete, rules.outputs(outputs), parameters.terms(terms));
    return new RestRequest(request, binaryOutputs(request.outputs().size()));
  }

  /* What an output says of itself goes before what the request says of all. */
  private List<Boolean> binaryOutputs(int count) {
    boolean all = Boolean.TRUE.equals(parameters.truth("binary_data_output"));
    List<Boolean> binaries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Boolean own = outputs.isEmpty() ? null : outputs.get(i).parameters().truth("binary_data");
      binaries.add(own == null ? all : own);
    }
    return binaries;
  }

  private void readField(String key) {
    switch (key) {
      case "id" -> id = string("id");
      case "inputs" -> readInputs();
      case "outputs" -> forEach("outputs", this::readOutput);
      case "parameters" -> parameters = parameters("the request");
      default -> skip(key, unknown);
    }
  }

  private void readInputs() {
    hasInputs = true;
    forEach("inputs", this::readInput);
  }

  private void skip(String key, UnknownKeys unknown) {
    unknown.add(key);
    json.skip();
  }

  /// Reads an object whose keys may come once, if they mean something.
  private void fields(Consumer<String> field) {
    Set<String> seen = new HashSet<>();
    json.object(key -> {
      if (InputHeader.KEYS.contains(key) && !seen.add(key)) {
        throw new InvalidRequestException("malformed JSON: the key '" + key + "' comes twice");
      }
      if (OPTIONAL.contains(key) && json.kind() == Kind.NULL) {
        json.skip();
      } else {
        field.accept(key);
      }
    });
  }

  private void forEach(String what, Runnable element) {
    expect(Kind.ARRAY, what);
    json.array(() -> {
      expect(Kind.OBJECT, "each of " + what);
      element.run();
    });
  }

  private void readOutput() {
    var header = new OutputHeader();
    fields(key -> {
      switch (key) {
        case "name" -> header.name = string("name of an output");
        case "parameters" -> header.parameters = parameters("an output");
        default -> json.skip();
      }
    });
    if (outputs.size() == MOST_OUTPUTS) {
      throw new InvalidRequestException("more than " + MOST_OUTPUTS + " outputs are requested");
    }
    outputs.add(header.requested());
  }

  private void readInput() {
    var header = new InputHeader();
    fields(key -> {
      switch (key) {
        case "name" -> header.name = string("name of an input");
        case "datatype" -> header.datatype = string("datatype of an input");
        case "shape" -> header.shape = shape(header);
        case "data" -> readData(header);
        case "parameters" -> header.binaryBytes = parameters("an input").count("binary_data_size");
        default -> skip(key, header.unknown);
      }
    });
    finish(header);
  }

  private void readData(InputHeader header) {
    header.dataAt(json.position());
    if (header.isComplete() && header.binaryBytes == null) {
      header.data = data(header);
    } else {
      json.skipValues();
    }
  }

  private void finish(InputHeader header) {
    header.checkComplete();
    MemorySegment data = header.data;
    if (data == null) {
      data = header.binaryBytes == null ? dataAgain(header) : binary(header, header.binaryBytes);
    }
    inputs.put(
        header.name(), new InputTensor(header.name(), header.shape(), TensorContent.of(data)));
  }

  private MemorySegment dataAgain(InputHeader header) {
    int here = json.position();
    json.moveTo(header.dataOffset());
    MemorySegment data = data(header);
    json.moveTo(here);
    return data;
  }

  private MemorySegment data(InputHeader header) {
    TensorSpec spec = rules.checkInput(header.name(), header.datatype(), header.shape());
    long elements = elements(header.name(), header.shape());
    return new TensorDataReader(spec, header.shape(), elements)
        .read(json, body.jsonLength(), rules::strings);
  }

  private MemorySegment binary(InputHeader header, long bytes) {
    TensorSpec spec = rules.checkInput(header.name(), header.datatype(), header.shape());
    long elements = elements(header.name(), header.shape());
    if (spec.isOfStrings()) {
      MemorySegment data = binary.take(header.name(), bytes);
      return WireStrings.codes(header.name(), data, elements, rules.strings());
    }
    ElementType type = spec.element();
    if (elements > Integer.MAX_VALUE / type.bytes()) {
      throw new InvalidRequestException(
          "input '%s' has more bytes than a body may have".formatted(header.name()));
    }
    return BooleanBytes.checked(
        header.name(), type, binary.take(header.name(), bytes, elements * type.bytes()));
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

  private Parameters parameters(String owner) {
    if (json.kind() != Kind.OBJECT) {
      throw new InvalidRequestException("parameters of " + owner + " must be an object");
    }
    var read = new Parameters(owner);
    json.object(key -> {
      if (json.kind() == Kind.NULL) {
        json.skip();
      } else {
        read.put(key, parameter(key, owner));
      }
    });
    return read;
  }

  private Object parameter(String key, String owner) {
    return switch (json.kind()) {
      case STRING -> json.string();
      case BOOLEAN -> json.bool();
      case NUMBER -> boxed(json.number());
      case OBJECT, ARRAY, NULL ->
          throw new InvalidRequestException(
              "parameter '%s' of %s must be a string, a number or a boolean, got %s"
                  .formatted(JsonCursor.cut(key), owner, json.excerpt()));
    };
  }

  /* Parameters of Triton's have no sign: one of 64 bits counts as the largest with a sign, as over
  gRPC. */
  private static Object boxed(JsonNumber number) {
    if (!number.isWhole() || !number.isLong() && !number.isUnsignedLong()) {
      return number.toDouble();
    }
    return number.isLong() ? number.toLong() : (Object) Long.MAX_VALUE;
  }

  private long[] shape(InputHeader header) {
    expect(Kind.ARRAY, "shape of an input");
    long[] dims = new long[MAX_RANK];
    int rank = 0;
    boolean more = json.openArray();
    while (more) {
      if (rank == MAX_RANK) {
        throw new InvalidRequestException(
            "shape of an input has more than " + MAX_RANK + " dimensions");
      }
      dims[rank++] = dimension(header);
      more = json.anotherElement();
    }
    json.closeArray();
    return Arrays.copyOf(dims, rank);
  }

  private long dimension(InputHeader header) {
    if (!json.isNumber()) {
      throw noSize(header, json.excerpt());
    }
    JsonNumber number = json.number();
    if (!number.isWhole() || !number.isLong() || number.toLong() < 0) {
      throw noSize(header, number.toString());
    }
    return number.toLong();
  }

  /* The name may come later in the input. */
  private InvalidRequestException noSize(InputHeader header, String value) {
    return new InvalidRequestException(
        "shape of input %s has %s, which is no size of a dimension"
            .formatted(
                header.name == null ? inputs.size() + 1 : "'" + JsonCursor.cut(header.name) + "'",
                JsonCursor.cut(value)));
  }

  private String string(String what) {
    if (json.kind() != Kind.STRING) {
      throw new InvalidRequestException(what + " must be a string, got " + json.excerpt());
    }
    return json.string();
  }

  private void expect(Kind wanted, String what) {
    if (json.kind() != wanted) {
      String kind = wanted == Kind.OBJECT ? "object" : "array";
      throw new InvalidRequestException(
          what + " must be a JSON " + kind + ", got " + json.excerpt());
    }
  }
}
