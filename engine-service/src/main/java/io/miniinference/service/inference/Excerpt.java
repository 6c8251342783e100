package io.miniinference.service.inference;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The value at which a parser stands, short enough for a message.
final class Excerpt {
  private static final int LONGEST = 40;

  private Excerpt() {}

  static String of(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "the end";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "\"" + cut(parser.getString()) + "\"";
      default -> cut(String.valueOf(parser.getString()));
    };
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
