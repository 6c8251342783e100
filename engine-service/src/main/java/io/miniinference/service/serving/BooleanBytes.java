package io.miniinference.service.serving;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Booleans as bytes, of which only 0 and 1 are any.
public final class BooleanBytes {
  private BooleanBytes() {}

  /// Data of a type, which are looked at if it is that of booleans.
  public static MemorySegment checked(String input, ElementType type, MemorySegment data) {
    for (long i = 0; type == ElementType.BOOL && i < data.byteSize(); i++) {
      byte value = data.get(ValueLayout.JAVA_BYTE, i);
      if (value != 0 && value != 1) {
        throw new InvalidRequestException(
            "input '%s' (BOOL) at position %d: the byte %d is neither 0 nor 1"
                .formatted(input, i, value & 0xFF));
      }
    }
    return data;
  }
}
