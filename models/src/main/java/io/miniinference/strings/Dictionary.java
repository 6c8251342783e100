package io.miniinference.strings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The strings that a model's file has, and their codes, which are the same for all its requests.
///
/// The empty string is code 0 in each dictionary, so that memory of zeros, which pads and fills, is
/// of empty strings. The others are 1, 2, … in the order in which they were given. Strings are
/// bytes; here each is held as a Java string of one char a byte.
public final class Dictionary {
  /// That of a model without strings.
  public static final Dictionary EMPTY = of(List.of());

  private final List<String> strings;
  private final Map<String, Integer> codes;

  private Dictionary(List<String> strings, Map<String, Integer> codes) {
    this.strings = strings;
    this.codes = codes;
  }

  /// Those of some strings, of which some may be equal.
  ///
  /// @param all bytes, mostly of UTF-8
  public static Dictionary of(Iterable<byte[]> all) {
    List<String> strings = new ArrayList<>(List.of(""));
    Map<String, Integer> codes = new HashMap<>(Map.of("", 0));
    for (byte[] bytes : all) {
      String string = held(bytes, 0, bytes.length);
      if (codes.putIfAbsent(string, strings.size()) == null) {
        strings.add(string);
      }
    }
    return new Dictionary(strings, codes);
  }

  /// Bytes as they are held.
  static String held(byte[] bytes, int from, int length) {
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  /// How many strings there are; their codes are below that.
  public int size() {
    return strings.size();
  }

  /// The code of a string.
  ///
  /// @return negative if the dictionary does not have it
  public int code(byte[] bytes) {
    return code(held(bytes, 0, bytes.length));
  }

  int code(String held) {
    Integer code = codes.get(held);
    return code == null ? -1 : code;
  }

  /// The bytes of a code's string; none for what is no code of this dictionary.
  public byte[] bytes(int code) {
    return string(code).getBytes(StandardCharsets.ISO_8859_1);
  }

  String string(int code) {
    return code >= 0 && code < strings.size() ? strings.get(code) : "";
  }
}
