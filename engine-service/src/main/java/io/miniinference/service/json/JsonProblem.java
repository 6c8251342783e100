package io.miniinference.service.json;

import io.miniinference.runtime.InvalidRequestException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/// Why a text is not JSON, in the words that requests get, too.
public final class JsonProblem {
  private JsonProblem() {}

  /// The reason, such as `malformed JSON at line 1, column 5: it ends too early`.
  ///
  /// @param bytes the whole text
  /// @param error that Jackson found, whose own words are about its classes
  public static String of(byte[] bytes, JacksonException error) {
    try {
      var cursor = new JsonCursor(bytes, 0, bytes.length);
      cursor.skip();
      cursor.expectEnd();
    } catch (InvalidRequestException e) {
      return String.valueOf(e.getMessage());
    }
    return "malformed JSON" + place(error.getLocation());
  }

  /* What only Jackson minds, such as a number of a thousand digits. */
  private static String place(@Nullable TokenStreamLocation at) {
    return at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }
}
