package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.elements.ValueReader;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/// Reads the `data` of one input, nested or flat, into memory of its type and shape. It takes no
/// more memory than the shape needs, and none that the body cannot fill.
final class TensorDataReader {
  /// `0,`: no element takes less of a body.
  private static final long LEAST_BYTES_PER_ELEMENT = 2;

  /// Values that are read in one go, between which others may run.
  private static final long MOST_AT_ONCE = 1 << 15;

  private final TensorSpec spec;
  private final String input;
  private final long[] shape;
  private final long elements;
  private final Nesting nesting;

  /// @param shape as the request declares it; its product has been checked
  TensorDataReader(TensorSpec spec, long[] shape, long elements) {
    this.spec = spec;
    this.input = spec.name();
    this.shape = shape;
    this.elements = elements;
    this.nesting = new Nesting(input, shape);
  }

  /// Reads from `[` to its `]`.
  ///
  /// @param json where the data begin
  /// @param bodyBytes length of the whole body
  /// @param strings those of the request
  MemorySegment read(JsonCursor json, int bodyBytes, Supplier<StringTable> strings) {
    if (json.kind() != JsonCursor.Kind.ARRAY) {
      throw new InvalidRequestException("the data of input '" + input + "' must be an array");
    }
    if (elements > bodyBytes / LEAST_BYTES_PER_ELEMENT + 1) {
      throw tooFew("no more than a body of " + bodyBytes + " bytes can hold");
    }
    var memory =
        MemorySegment.ofArray(new byte[Math.toIntExact(elements * spec.element().bytes())]);
    long found = array(json, ValueReader.of(spec, memory, strings), 0);
    nesting.checkShape();
    if (found < elements) {
      throw tooFew(Long.toString(found));
    }
    return memory;
  }

  /* Reads an array, whose first element has the position `first`; returns the position after its
  last. It is nested no deeper than the shape. */
  private long array(JsonCursor json, ValueReader reader, long first) {
    nesting.open();
    long position = first;
    boolean more = json.openArray();
    while (more) {
      position = json.isArray() ? array(json, reader, position) : values(json, reader, position);
      more = json.anotherElement();
    }
    json.closeArray();
    nesting.close();
    return position;
  }

  /* One value, and before it those that can be read in one go. */
  private long values(JsonCursor json, ValueReader reader, long first) {
    nesting.values(1);
    checkRoom(first);
    long plain = reader.storePlain(json, first, Math.min(elements - first, MOST_AT_ONCE));
    if (plain == 0) {
      reader.store(json, first);
      return first + 1;
    }
    nesting.values(plain);
    long position = first + plain;
    checkRoom(position);
    reader.store(json, position);
    return position + 1;
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
