package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.JsonCursor;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// The shape of nested arrays, told by the first of each depth. Whether the others agree shows when
/// they are read.
final class NestedShape {
  private static final int MAX_RANK = 64;

  private final JsonCursor json;
  private final LongConsumer row;
  private final long[] dims = new long[MAX_RANK];
  private int rank;

  private NestedShape(JsonCursor json, LongConsumer row) {
    this.json = json;
    this.row = row;
  }

  /// The shape of the value that comes, before which the cursor stays.
  static long[] of(JsonCursor json) {
    return of(json, _ -> {});
  }

  /// As above.
  ///
  /// @param row told of each element of the outermost array but the first, before which the cursor
  ///   stands then
  static long[] of(JsonCursor json, LongConsumer row) {
    int start = json.position();
    var shape = new NestedShape(json, row);
    shape.read(0);
    json.moveTo(start);
    return Arrays.copyOf(shape.dims, shape.rank);
  }

  private void read(int depth) {
    if (!json.isArray()) {
      json.skipValues();
      return;
    }
    if (depth == MAX_RANK) {
      throw new InvalidRequestException("values are nested deeper than " + MAX_RANK + " arrays");
    }
    rank = depth + 1;
    boolean more = json.openArray();
    if (more) {
      read(depth + 1);
      dims[depth] = 1 + others(depth);
    }
    json.closeArray();
  }

  private long others(int depth) {
    long count = 0;
    while (json.anotherElement()) {
      count++;
      if (depth == 0) {
        row.accept(count);
      }
      json.skipValues();
    }
    return count;
  }
}
