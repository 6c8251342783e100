package io.miniinference.strings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/// The strings of one request and their codes: those of the model's dictionary, and −1, −2, … for
/// the others in the order in which they came. Equal strings have equal codes.
///
/// For one thread at a time.
public final class StringTable {
  /// What an entry takes of the heap besides its bytes: objects and references.
  public static final long ENTRY_BYTES = 128;

  private final Dictionary dictionary;
  private final LongConsumer taken;
  private final List<String> others = new ArrayList<>();
  private final Map<String, Integer> codes = new HashMap<>();

  /// A table that hears nothing of what it takes.
  public StringTable(Dictionary dictionary) {
    this(dictionary, _ -> {});
  }

  /// @param taken is told before a string is kept how many bytes of the heap that takes; what it
  ///   throws keeps the string out
  public StringTable(Dictionary dictionary, LongConsumer taken) {
    this.dictionary = dictionary;
    this.taken = taken;
  }

  /// The code of a string, which is kept if it is new.
  public int code(byte[] bytes) {
    return code(bytes, 0, bytes.length);
  }

  /// As above, of a part of some bytes.
  public int code(byte[] bytes, int from, int length) {
    return codeOfHeld(Dictionary.held(bytes, from, length));
  }

  /// The code of a string of one char a byte.
  public int codeOfHeld(String string) {
    int known = dictionary.code(string);
    return known >= 0 ? known : other(string);
  }

  /// Takes bytes of the heap for what goes with the strings, such as their codes.
  public void take(long bytes) {
    taken.accept(bytes);
  }

  private int other(String string) {
    Integer known = codes.get(string);
    if (known != null) {
      return known;
    }
    taken.accept(ENTRY_BYTES + string.length());
    others.add(string);
    codes.put(string, -others.size());
    return -others.size();
  }

  /// The bytes of a code's string; none for what is no code. So what a run that failed leaves in
  /// memory reads as some string of the model or of this request, or as an empty one.
  public byte[] bytes(int code) {
    return held(code).getBytes(StandardCharsets.ISO_8859_1);
  }

  /// The length of a code's string in bytes.
  public int length(int code) {
    return held(code).length();
  }

  /// A code's string, of one char a byte.
  public String held(int code) {
    int place = -1 - code;
    if (place < 0) {
      return dictionary.string(code);
    }
    return place < others.size() ? others.get(place) : "";
  }

  /// The string of a code as text; what is no UTF-8 in it reads as U+FFFD.
  public String text(int code) {
    return new String(bytes(code), StandardCharsets.UTF_8);
  }

  /// How many strings it keeps besides the dictionary's.
  public int size() {
    return others.size();
  }
}
