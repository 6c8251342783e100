package io.miniinference.service.elements;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonCursor.Kind;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Stores JSON strings as codes. An object `{"b64": "…"}` is a string of any bytes, as TensorFlow
/// Serving has them.
final class StringReader implements ValueReader {
  /// The only key of an object that stands for a string.
  static final String BASE64 = "b64";

  private final String input;
  private final StringElements elements;

  StringReader(String input, MemorySegment memory, StringTable table) {
    this.input = input;
    this.elements = new StringElements(memory, table);
  }

  @Override
  public void store(JsonCursor json, long position) {
    Kind kind = json.kind();
    if (kind != Kind.STRING && kind != Kind.OBJECT) {
      throw wrong(json.excerpt(), position, "is not a string");
    }
    byte[] bytes =
        kind == Kind.OBJECT
            ? ofBase64(json, position)
            : json.string().getBytes(StandardCharsets.UTF_8);
    elements.set(position, elements.table().code(bytes));
  }

  private byte[] ofBase64(JsonCursor json, long position) {
    String shown = json.excerpt();
    byte[][] bytes = {null};
    json.object(key -> {
      if (!key.equals(BASE64) || bytes[0] != null || json.kind() != Kind.STRING) {
        throw wrong(shown, position, "is neither a string nor {\"b64\": \"…\"}");
      }
      bytes[0] = decoded(json.string(), position);
    });
    if (bytes[0] == null) {
      throw wrong(shown, position, "is neither a string nor {\"b64\": \"…\"}");
    }
    return bytes[0];
  }

  private byte[] decoded(String text, long position) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw wrong(text, position, "is not Base64");
    }
  }

  private InvalidRequestException wrong(String value, long position, String what) {
    return new InvalidRequestException(
        "input '%s' (BYTES) at position %d: %s %s"
            .formatted(input, position, JsonCursor.cut(value), what));
  }
}
