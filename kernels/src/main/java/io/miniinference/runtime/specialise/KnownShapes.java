package io.miniinference.runtime.specialise;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Which specialisation serves requests of some shapes, where shapes alone decide: what is found
/// out about a request is mostly what was found out about one before.
final class KnownShapes {
  /// Shapes that are kept; beyond them all are found out anew.
  private static final int MOST = 4096;

  private final Map<Shapes, Served> served = new ConcurrentHashMap<>();

  /// What serves a request.
  ///
  /// @param key of the specialisation
  /// @param rows of the request
  record Served(String key, int rows) {}

  /* One shape per input, all of them in a row, each behind its rank. */
  private record Shapes(long[] all) {
    static Shapes of(List<long[]> shapes) {
      int length = shapes.size();
      for (long[] shape : shapes) {
        length += shape.length;
      }
      long[] all = new long[length];
      int at = 0;
      for (long[] shape : shapes) {
        all[at++] = shape.length;
        System.arraycopy(shape, 0, all, at, shape.length);
        at += shape.length;
      }
      return new Shapes(all);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Shapes(long[] theirs) && Arrays.equals(all, theirs);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(all);
    }
  }

  Optional<Served> of(List<long[]> shapes) {
    return Optional.ofNullable(served.get(Shapes.of(shapes)));
  }

  void add(List<long[]> shapes, Served by) {
    if (served.size() >= MOST) {
      served.clear();
    }
    served.put(Shapes.of(shapes), by);
  }
}
