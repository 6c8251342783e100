package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.UnknownKeys;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What has been read so far of one input.
final class InputHeader {
  private static final int NONE = -1;

  /// The keys that mean something in a request, an input or an output.
  static final Set<String> KEYS =
      Set.of("id", "inputs", "outputs", "parameters", "name", "datatype", "shape", "data");

  /// The keys of an input.
  private static final List<String> OWN =
      List.of("name", "datatype", "shape", "data", "parameters");

  final UnknownKeys unknown = new UnknownKeys(OWN);
  @Nullable String name;
  @Nullable String datatype;
  long @Nullable [] shape;
  @Nullable MemorySegment data;

  /// Bytes of the data behind the JSON; null if they are in the JSON.
  @Nullable Long binaryBytes;

  /// Where the data begin in the JSON, in bytes.
  private int dataOffset = NONE;

  boolean isComplete() {
    return name != null && datatype != null && shape != null;
  }

  /// Notes where data are in the JSON.
  void dataAt(int offset) {
    dataOffset = offset;
  }

  int dataOffset() {
    return dataOffset;
  }

  /// @throws InvalidRequestException if something is missing, or there twice
  void checkComplete() {
    name();
    datatype();
    shape();
    if (binaryBytes != null && dataOffset != NONE) {
      throw new InvalidRequestException(
          "input '" + name + "' has both 'data' and 'binary_data_size'");
    }
    if (binaryBytes == null && dataOffset == NONE) {
      throw missing("data");
    }
  }

  String name() {
    if (name == null) {
      throw new InvalidRequestException(
          "each of inputs needs a 'name'" + unknown.insteadOf("name"));
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
    return new InvalidRequestException(
        "input '" + name + "' has no '" + key + "'" + unknown.insteadOf(key));
  }
}
