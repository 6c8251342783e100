package io.miniinference.service.settings;

import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.TextMessage.Nested;
import io.miniinference.service.settings.TextMessage.Scalar;
import java.util.Locale;
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
        return message(root);
      }
    } catch (StreamConstraintsException e) {
      throw new SettingsException(
          "%s is nested more than %d deep, or has a number that is too long"
              .formatted(source, DEEPEST),
          e);
    } catch (JacksonException e) {
      throw new SettingsException(source + " is not JSON: " + e.getOriginalMessage(), e);
    }
    throw new SettingsException(source + " is not an object of JSON");
  }

  private static TextMessage message(JsonNode object) {
    var message = new TextMessage();
    object.properties().forEach(field -> add(message, snake(field.getKey()), field.getValue()));
    return message;
  }

  private static void add(TextMessage message, String name, JsonNode value) {
    if (value.isArray()) {
      value.forEach(element -> add(message, name, element));
    } else if (!value.isNull()) {
      message.add(
          name, value.isObject() ? new Nested(message(value)) : new Scalar(value.asString()));
    }
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
