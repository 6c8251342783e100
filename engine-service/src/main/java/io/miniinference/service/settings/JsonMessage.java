package io.miniinference.service.settings;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.json.JsonProblem;
import io.miniinference.service.settings.TextMessage.Nested;
import io.miniinference.service.settings.TextMessage.Scalar;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads protobuf's JSON form: names of fields are those of the schema, or the same in camel case.
final class JsonMessage {
  /// Of objects and lists within each other: each message may be in a list.
  private static final int DEEPEST = 2 * TextMessage.DEEPEST;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .build();

  private JsonMessage() {}

  /// Reads a text whose length is bounded.
  ///
  /// @param source of the text, as messages name it
  /// @throws SettingsException if it is no object of JSON
  static TextMessage read(String source, String text) {
    try {
      JsonNode root = MAPPER.readTree(text);
      if (root.isObject()) {
        return message(ModelConfig.getDescriptor(), root);
      }
    } catch (StreamConstraintsException e) {
      throw new SettingsException(
          "%s is nested more than %d deep, or has a number that is too long"
              .formatted(source, DEEPEST),
          e);
    } catch (JacksonException e) {
      throw new SettingsException(
          source + ": " + JsonProblem.of(text.getBytes(StandardCharsets.UTF_8), e), e);
    }
    throw new SettingsException(source + " is not an object of JSON");
  }

  /* Of a message that the schema does not know, only that it is there. */
  private static TextMessage message(@Nullable Descriptor schema, JsonNode object) {
    var message = new TextMessage();
    if (schema != null) {
      object
          .properties()
          .forEach(field -> add(message, schema, name(schema, field.getKey()), field.getValue()));
    }
    return message;
  }

  private static void add(TextMessage message, Descriptor schema, String name, JsonNode value) {
    FieldDescriptor field = schema.findFieldByName(name);
    if (field != null && field.isMapField() && value.isObject()) {
      value.properties().forEach(entry -> message.add(name, entry(field, entry)));
    } else if (value.isArray()) {
      value.forEach(element -> add(message, name, field, element));
    } else {
      add(message, name, field, value);
    }
  }

  private static void add(
      TextMessage message, String name, @Nullable FieldDescriptor field, JsonNode value) {
    if (value.isObject()) {
      message.add(name, new Nested(message(inner(field), value)));
    } else if (!value.isNull()) {
      message.add(name, new Scalar(value.isArray() ? value.toString() : value.asString()));
    }
  }

  /* The text form has a map as messages of a key and a value. */
  private static Nested entry(FieldDescriptor map, Map.Entry<String, JsonNode> entry) {
    var message = new TextMessage();
    message.add("key", new Scalar(entry.getKey()));
    add(message, map.getMessageType(), "value", entry.getValue());
    return new Nested(message);
  }

  private static @Nullable Descriptor inner(@Nullable FieldDescriptor field) {
    return field != null && field.getJavaType() == JavaType.MESSAGE ? field.getMessageType() : null;
  }

  /* As the schema has it, if it does. */
  private static String name(Descriptor schema, String key) {
    String snake = key.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return schema.findFieldByName(snake) == null ? key : snake;
  }
}
