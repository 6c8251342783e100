package io.miniinference.bench.measure;

import module com.fasterxml.jackson.annotation;
import module java.base;

/// Under what circumstances a figure was taken, such as `batch` = `32`: names and values, in the
/// order in which they are shown.
///
/// @param values never empty strings
public record Parameters(@JsonValue Map<String, String> values) {
  public static final Parameters NONE = new Parameters(Map.of());

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Parameters {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  public static Parameters of(String name, Object value) {
    return NONE.with(name, value);
  }

  public Parameters with(String name, Object value) {
    var more = new LinkedHashMap<>(values);
    more.put(name, value.toString());
    return new Parameters(more);
  }

  /// The value of one of them, or empty.
  public String get(String name) {
    return values.getOrDefault(name, "");
  }

  public Parameters without(String name) {
    var fewer = new LinkedHashMap<>(values);
    fewer.remove(name);
    return new Parameters(fewer);
  }

  /// As shown beside a name: `batch 32, input pinned`.
  public String text() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /// A name and, if there are any, these behind it: `mnist-cnn, batch 32`.
  public String behind(String name) {
    return values.isEmpty() ? name : name + ", " + text();
  }
}
