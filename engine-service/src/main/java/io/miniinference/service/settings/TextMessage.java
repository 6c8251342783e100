package io.miniinference.service.settings;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A message in protobuf's text form, without its schema: fields with their values in the order in
/// which they come.
record TextMessage(Map<String, List<Value>> fields) {
  /// Most messages within each other.
  static final int DEEPEST = 32;

  private static final Set<String> DEFAULTS = Set.of("false", "0", "");

  /// A field's value.
  sealed interface Value {}

  /// A number, a name, or a text without its quotes.
  ///
  /// @param isQuoted whether it had quotes where only texts have them
  record Scalar(String text, boolean isQuoted) implements Value {
    /// One whose form does not tell what it is.
    Scalar(String text) {
      this(text, false);
    }
  }

  /// A message within a message.
  record Nested(TextMessage message) implements Value {}

  TextMessage() {
    this(new LinkedHashMap<>());
  }

  void add(String name, Value value) {
    fields.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  /// The names of all fields but those that say what they are without being there: `false`, 0, or
  /// no text.
  ///
  /// @param schema which knows all of the names
  Set<String> told(Descriptor schema) {
    return fields.entrySet().stream()
        .filter(field -> {
          FieldDescriptor known = schema.findFieldByName(field.getKey());
          return known.isRepeated()
              || field.getValue().stream().anyMatch(value -> isTold(value, known));
        })
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static boolean isTold(Value value, FieldDescriptor field) {
    return switch (value) {
      case Scalar(String text, _) -> !DEFAULTS.contains(text);
      case Nested(TextMessage message) ->
          message.fields.isEmpty() || !message.told(field.getMessageType()).isEmpty();
    };
  }

  /// The messages under a name.
  List<TextMessage> messages(String name) {
    return fields.getOrDefault(name, List.of()).stream()
        .flatMap(value ->
            value instanceof Nested(TextMessage message)
                ? List.of(message).stream()
                : List.<TextMessage>of().stream())
        .toList();
  }

  /// The scalars under a name.
  List<String> scalars(String name) {
    return fields.getOrDefault(name, List.of()).stream()
        .flatMap(value ->
            value instanceof Scalar(String text, _)
                ? List.of(text).stream()
                : List.<String>of().stream())
        .toList();
  }

  /// The last scalar under a name, which is the one that counts.
  Optional<String> scalar(String name) {
    List<String> all = scalars(name);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }
}
