package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonCursor.Kind;
import java.util.Arrays;

/// The shape of nested arrays, told by the first of each depth. Whether the others agree shows when
/// they are read.
final class NestedShape {
  private static final int MAX_RANK = 64;

  private final JsonCursor json;
  private final long[] dims = new long[MAX_RANK];
  private int rank;

  private NestedShape(JsonCursor json) {
    this.json = json;
  }

  /// The shape of the value that comes, before which the cursor stays.
  static long[] of(JsonCursor json) {
    int start = json.position();
    var shape = new NestedShape(json);
    shape.read(0);
    json.moveTo(start);
    return Arrays.copyOf(shape.dims, shape.rank);
  }

  private void read(int depth) {
    if (json.kind() != Kind.ARRAY) {
      json.skip();
      return;
    }
    if (depth == MAX_RANK) {
      throw new InvalidRequestException("values are nested deeper than " + MAX_RANK + " arrays");
    }
    rank = depth + 1;
    boolean more = json.openArray();
    if (more) {
      read(depth + 1);
      dims[depth] = 1 + others();
    }
    json.closeArray();
  }

  private long others() {
    long count = 0;
    while (json.anotherElement()) {
      json.skip();
      count++;
    }
    return count;
  }
}
