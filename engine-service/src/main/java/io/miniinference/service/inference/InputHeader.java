package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What has been read so far of one input.
final class InputHeader {
  private static final int NONE = -1;

  @Nullable String name;
  @Nullable String datatype;
  long @Nullable [] shape;
  @Nullable MemorySegment data;

  /// Where the data begin in the body, in bytes.
  int dataOffset = NONE;

  boolean isComplete() {
    return name != null && datatype != null && shape != null;
  }

  /// @throws InvalidRequestException if something is missing
  void checkComplete() {
    name();
    datatype();
    shape();
    if (dataOffset == NONE) {
      throw missing("data");
    }
  }

  String name() {
    if (name == null) {
      throw new InvalidRequestException("each of inputs needs a 'name'");
    }
    return name;
  }

  String datatype() {
    if (datatype == null) {
      throw missing("datatype");
    }
    return datatype;
  }

  long[] shape() {
    if (shape == null) {
      throw missing("shape");
    }
    return shape;
  }

  private InvalidRequestException missing(String key) {
    return new InvalidRequestException("input '" + name + "' has no '" + key + "'");
  }
}
