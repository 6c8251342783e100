package io.miniinference.service.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A JSON text (RFC 8259, UTF-8) that is being written, in memory. It sets the commas; whoever
/// writes opens and closes. Numbers go into the bytes digit by digit, without objects: floats with
/// the fewest digits that give the same float back ([Float#toString]). JSON has no NaN and no
/// infinities: they become the strings that protobuf's mapping uses, `"NaN"`, `"Infinity"` and
/// `"-Infinity"`.
///
/// Binary data may follow the text by [#writeBytes].
public final class JsonWriter extends ByteArrayOutputStream {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_DIGITS = 32;

  /// Where the JDK writes a number before its digits are copied; it makes no string of it.
  private final StringBuilder digits = new StringBuilder(MOST_DIGITS);

  private boolean hasBefore;

  /// @param expectedBytes room to begin with
  public JsonWriter(int expectedBytes) {
    super(expectedBytes);
  }

  public void beginObject() {
    begin('{');
  }

  public void endObject() {
    end('}');
  }

  public void beginArray() {
    begin('[');
  }

  public void endArray() {
    end(']');
  }

  private void begin(char bracket) {
    separate();
    put(bracket);
    hasBefore = false;
  }

  private void end(char bracket) {
    require(1);
    put(bracket);
    hasBefore = true;
  }

  /// A key, whose value follows.
  public void name(String name) {
    string(name);
    require(1);
    put(':');
    hasBefore = false;
  }

  public void property(String name, String value) {
    name(name);
    string(value);
  }

  public void property(String name, long value) {
    name(name);
    number(value);
  }

  public void string(String text) {
    if (!isPlain(text)) {
      utf8(text.getBytes(StandardCharsets.UTF_8));
      return;
    }
    separate();
    require(Math.addExact(2, text.length()));
    put('"');
    putAscii(text);
    put('"');
    hasBefore = true;
  }

  /// A string of UTF-8.
  public void utf8(byte[] text) {
    separate();
    require(Math.addExact(2, escapedLength(text)));
    put('"');
    putEscaped(text);
    put('"');
    hasBefore = true;
  }

  private static int escapedLength(byte[] text) {
    long length = text.length;
    for (byte b : text) {
      if (b == '"' || b == '\\') {
        length++;
      } else if (b >= 0 && b < ' ') {
        length += 5;
      }
    }
    return Math.toIntExact(length);
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private void putAscii(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      put(text.charAt(i));
    }
  }

  /* Bytes beyond ASCII are parts of characters, and stay. */
  private void putEscaped(byte[] text) {
    for (byte b : text) {
      if (b == '"' || b == '\\') {
        put('\\');
        put((char) b);
      } else if (b >= 0 && b < ' ') {
        putUnicode(b);
      } else {
        buf[count++] = b;
      }
    }
  }

  private void putUnicode(byte control) {
    putAscii("\\u00");
    buf[count++] = HEX[control >> 4];
    buf[count++] = HEX[control & 0xF];
  }

  public void bool(boolean value) {
    separate();
    byte[] word = value ? TRUE : FALSE;
    System.arraycopy(word, 0, buf, count, word.length);
    count += word.length;
    hasBefore = true;
  }

  public void number(long value) {
    separate();
    if (value >= 0 && value < 10) {
      put((char) ('0' + value));
    } else {
      digits.append(value);
      putDigits();
    }
    hasBefore = true;
  }

  /// A number of 64 bits without a sign.
  public void unsigned(long value) {
    if (value >= 0) {
      number(value);
    } else {
      separate();
      putAscii(Long.toUnsignedString(value));
      hasBefore = true;
    }
  }

  public void number(float value) {
    if (Float.isFinite(value)) {
      separate();
      digits.append(value);
      putDigits();
      hasBefore = true;
    } else {
      string(Float.toString(value));
    }
  }

  public void number(double value) {
    if (Double.isFinite(value)) {
      separate();
      digits.append(value);
      putDigits();
      hasBefore = true;
    } else {
      string(Double.toString(value));
    }
  }

  private void putDigits() {
    putAscii(digits);
    digits.setLength(0);
  }

  /* Leaves room for any number or word. */
  private void separate() {
    require(1 + MOST_DIGITS);
    if (hasBefore) {
      put(',');
    }
  }

  private void put(char c) {
    buf[count++] = (byte) c;
  }

  private void require(int more) {
    if (more > buf.length - count) {
      int needed = Math.addExact(count, more);
      buf =
          Arrays.copyOf(
              buf, Math.max(needed, (int) Math.min(2L * buf.length, Integer.MAX_VALUE - 8)));
    }
  }
}
