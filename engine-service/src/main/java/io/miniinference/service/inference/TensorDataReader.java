package io.miniinference.service.inference;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads the `data` of one input, nested or flat, into memory of its type and shape. It takes no
/// more memory than the shape needs, and none that the body cannot fill.
final class TensorDataReader {
  /// `0,`: no element takes less of a body.
  private static final long LEAST_BYTES_PER_ELEMENT = 2;

  private final String input;
  private final ElementType type;
  private final long[] shape;
  private final long elements;

  /// @param shape as the request declares it; its product has been checked
  TensorDataReader(String input, ElementType type, long[] shape, long elements) {
    this.input = input;
    this.type = type;
    this.shape = shape;
    this.elements = elements;
  }

  /// Reads from `[` to its `]`.
  ///
  /// @param parser at the token where the data begin
  /// @param bodyBytes length of the whole body
  MemorySegment read(JsonParser parser, int bodyBytes) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new InvalidRequestException("the data of input '" + input + "' must be an array");
    }
    if (elements > bodyBytes / LEAST_BYTES_PER_ELEMENT + 1) {
      throw tooFew("no more than a body of " + bodyBytes + " bytes can hold");
    }
    var memory = MemorySegment.ofArray(new byte[Math.toIntExact(elements * type.bytes())]);
    long found = fill(parser, new ElementReader(input, type, memory));
    if (found < elements) {
      throw tooFew(Long.toString(found));
    }
    return memory;
  }

  private long fill(JsonParser parser, ElementReader reader) {
    var nesting = new Nesting(input, shape);
    long position = 0;
    JsonToken token = parser.currentToken();
    do {
      if (token == null) {
        throw new InvalidRequestException(
            "malformed JSON: the body ends within the data of input '" + input + "'");
      }
      switch (token) {
        case START_ARRAY -> nesting.open();
        case END_ARRAY -> nesting.close();
        default -> {
          nesting.value();
          checkRoom(position);
          reader.store(parser, token, position++);
        }
      }
      token = nesting.isOpen() ? parser.nextToken() : token;
    } while (nesting.isOpen());
    nesting.checkShape();
    return position;
  }

  private void checkRoom(long position) {
    if (position == elements) {
      throw new InvalidRequestException(
          "input '%s' has more values than the %d that its shape %s holds"
              .formatted(input, elements, Arrays.toString(shape)));
    }
  }

  private InvalidRequestException tooFew(String found) {
    return new InvalidRequestException(
        "input '%s' has too few values: its shape %s holds %d, got %s"
            .formatted(input, Arrays.toString(shape), elements, found));
  }
}
