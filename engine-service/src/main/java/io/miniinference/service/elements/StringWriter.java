package io.miniinference.service.elements;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Writes strings as JSON strings; what it does with one that is not UTF-8, which JSON does not
/// have, is its protocol's.
public final class StringWriter implements ValueWriter {
  private final String output;
  private final StringElements elements;
  private final boolean asBase64;

  private StringWriter(String output, StringElements elements, boolean asBase64) {
    this.output = output;
    this.elements = elements;
    this.asBase64 = asBase64;
  }

  /// One that refuses what is not UTF-8: clients of V2 know nothing but strings.
  public static StringWriter strict(String output, StringElements elements) {
    return new StringWriter(output, elements, false);
  }

  /// One that writes what is not UTF-8 as `{"b64": "…"}`.
  public static StringWriter withBase64(String output, StringElements elements) {
    return new StringWriter(output, elements, true);
  }

  @Override
  public void write(JsonWriter json, long position) {
    byte[] bytes = elements.at(position);
    if (isUtf8(bytes)) {
      json.utf8(bytes);
    } else if (asBase64) {
      json.beginObject();
      json.property(StringReader.BASE64, Base64.getEncoder().encodeToString(bytes));
      json.endObject();
    } else {
      throw new InvalidRequestException(
          "output '%s' has a string at position %d that is not UTF-8, which JSON does not have: ask for binary data"
              .formatted(output, position));
    }
  }

  private static boolean isUtf8(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return decodes(bytes);
      }
    }
    return true;
  }

  private static boolean decodes(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
