package io.miniinference.service.elements;

import io.miniinference.service.json.JsonCursor;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/// Stores the JSON values of one input, and refuses those that its type does not have.
public interface ValueReader {

  /// Stores the value at which the cursor stands.
  void store(JsonCursor json, long position);

  /// Stores what it can of the values that come in one go, each with the comma behind it.
  ///
  /// @param most values
  /// @return how many, which may be none
  default long storePlain(JsonCursor json, long position, long most) {
    return 0;
  }

  /// A reader of an input's type.
  ///
  /// @param memory of all elements
  /// @param strings those of the request
  static ValueReader of(TensorSpec input, MemorySegment memory, Supplier<StringTable> strings) {
    return input.isOfStrings()
        ? new StringReader(input.name(), memory, strings.get())
        : new ElementReader(input.name(), input.element(), memory);
  }
}
