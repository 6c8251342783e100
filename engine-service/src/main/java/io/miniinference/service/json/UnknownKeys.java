package io.miniinference.service.json;

import io.miniinference.spring.names.EditDistance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The keys of an object that mean nothing, which are let be, and named where one may stand for a
/// key that is missing.
public final class UnknownKeys {
  /// A misspelt key is among the first; the others only cost memory.
  private static final int MOST = 16;

  private final List<String> known;
  private final List<String> found = new ArrayList<>();

  /// @param known the keys that mean something
  public UnknownKeys(List<String> known) {
    this.known = known;
  }

  /// Notes a key that means nothing.
  public void add(String key) {
    if (found.size() < MOST) {
      found.add(key);
    }
  }

  /// What to add to a message that says that a key is missing: nothing, or the key that may have
  /// been meant to be that one.
  public String insteadOf(String missing) {
    return found.stream()
        .filter(key -> nearest(key).equals(missing))
        .min(Comparator.comparingInt(key -> distance(key, missing)))
        .map(key ->
            ". The key '%s' means nothing here: the nearest that does is '%s'"
                .formatted(JsonCursor.cut(key), missing))
        .orElse("");
  }

  private String nearest(String key) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(key, candidate)))
        .orElse("");
  }

  /* The first letters of a long key tell that it is none. */
  private static int distance(String key, String candidate) {
    String cut = key.substring(0, Math.min(key.length(), 2 * candidate.length()));
    return EditDistance.between(cut.toLowerCase(Locale.ROOT), candidate);
  }
}
