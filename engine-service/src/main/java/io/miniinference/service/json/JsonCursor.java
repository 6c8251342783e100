package io.miniinference.service.json;

import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/// A strict reader of JSON (RFC 8259, UTF-8) that lies in memory. It stands before a value, and
/// each method reads one and goes on; numbers are read without making objects. It is meant for
/// hostile text: depth, strings and numbers have bounds.
public final class JsonCursor {
  /// Deepest nesting of arrays and objects; the depth that Triton allows too.
  private static final int MAX_DEPTH = 100;

  private static final int MAX_STRING_BYTES = 1 << 20;
  private static final int MAX_EXCERPT = 40;

  /// Most keys of one object: those of a request are few, and each costs as much as many numbers.
  private static final int MAX_KEYS = 10_000;

  /// After so many bytes others may run: a virtual thread keeps its processor until it waits.
  private static final int PIECE_BYTES = 64 << 10;

  private final byte[] bytes;
  private final int end;
  private final JsonNumber number;
  private final PlainFloats plain;
  private int at;
  private int depth;
  private int pieceEnd;

  /// What a value is, by its first byte.
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  /// @param end where the text ends in `bytes`
  public JsonCursor(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.end = end;
    this.at = start;
    this.pieceEnd = start + PIECE_BYTES;
    this.number = new JsonNumber(bytes, end);
    this.plain = new PlainFloats(bytes, end);
    boolean marked = end - start >= 3 && bytes[start] == (byte) 0xEF;
    if (marked && bytes[start + 1] == (byte) 0xBB && bytes[start + 2] == (byte) 0xBF) {
      at += 3;
    }
  }

  /// Where the cursor stands.
  public int position() {
    skipSpace();
    return at;
  }

  /// Goes back to a place where a value began.
  public void moveTo(int position) {
    at = position;
  }

  /// The kind of the value that comes.
  public Kind kind() {
    return switch (peek()) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
      case 't', 'f' -> Kind.BOOLEAN;
      case 'n' -> Kind.NULL;
      default -> throw unexpected();
    };
  }

  /// Reads an object. The consumer gets each key and reads its value.
  public void object(Consumer<String> field) {
    members(() -> {
      String key = string();
      take(':');
      field.accept(key);
    });
  }

  /* The runnable reads each key and its value. */
  private void members(Runnable member) {
    open('{');
    boolean more = peek() != '}';
    for (int keys = 1; more; keys++) {
      if (peek() != '"') {
        throw unexpected();
      }
      if (keys > MAX_KEYS) {
        throw malformed("an object has more than " + MAX_KEYS + " keys");
      }
      member.run();
      more = another('}');
    }
    close();
  }

  /// Reads an array. The runnable reads each element.
  public void array(Runnable element) {
    open('[');
    boolean more = peek() != ']';
    while (more) {
      element.run();
      more = another(']');
    }
    close();
  }

  /// Whether a number comes.
  public boolean isNumber() {
    byte first = peek();
    byte digit = first == '-' && at + 1 < end ? bytes[at + 1] : first;
    return digit >= '0' && digit <= '9';
  }

  /// Whether an array comes.
  public boolean isArray() {
    return peek() == '[';
  }

  /// Whether an array comes whose first element is an object.
  public boolean isArrayOfObjects() {
    int start = position();
    if (!isArray()) {
      return false;
    }
    at++;
    skipSpace();
    boolean object = at < end && bytes[at] == '{';
    at = start;
    return object;
  }

  /// Whether an array comes whose first element is an object that begins with a key.
  public boolean isArrayOfObjects(String firstKey) {
    int start = position();
    boolean begins = false;
    if (isArrayOfObjects()) {
      at++;
      skipSpace();
      at++;
      begins = isNext('"' + firstKey + '"');
    }
    at = start;
    return begins;
  }

  /// Reads `[`, and tells whether an element follows.
  public boolean openArray() {
    open('[');
    return peek() != ']';
  }

  /// Reads `]`.
  public void closeArray() {
    close();
  }

  /// Reads a comma if an element follows in an array.
  public boolean anotherElement() {
    return another(']');
  }

  private void open(char bracket) {
    if (peek() != bracket) {
      throw unexpected();
    }
    if (++depth > MAX_DEPTH) {
      throw malformed("its nesting depth is over " + MAX_DEPTH);
    }
    at++;
  }

  private void close() {
    depth--;
    at++;
  }

  /* After a value: whether another follows. */
  private boolean another(char bracket) {
    byte next = peek();
    if (next == ',') {
      at++;
      if (peek() == bracket) {
        throw unexpected();
      }
      return true;
    }
    if (next != bracket) {
      throw unexpected();
    }
    return false;
  }

  private void take(char wanted) {
    if (peek() != wanted) {
      throw unexpected();
    }
    at++;
  }

  /// Reads a string.
  public String string() {
    int start = position() + 1;
    int close = closingQuote(start);
    at = close + 1;
    if (isPlain(start, close)) {
      return new String(bytes, start, close - start, StandardCharsets.ISO_8859_1);
    }
    return JsonStrings.unescaped(bytes, start, close, this);
  }

  private boolean isPlain(int start, int close) {
    for (int i = start; i < close; i++) {
      if (bytes[i] < 0 || bytes[i] == '\\') {
        return false;
      }
    }
    return true;
  }

  private int closingQuote(int start) {
    int i = start;
    while (i < end && bytes[i] != '"') {
      if (bytes[i] >= 0 && bytes[i] < ' ') {
        at = i;
        throw malformed("a control character in a string");
      }
      i += bytes[i] == '\\' ? 2 : 1;
    }
    if (i >= end) {
      at = end;
      throw malformed("it ends within a string");
    }
    if (i - start > MAX_STRING_BYTES) {
      throw malformed("a string is longer than " + MAX_STRING_BYTES + " bytes");
    }
    return i;
  }

  /// Reads a number, which stays valid until the next one is read.
  public JsonNumber number() {
    at = number.read(position(), this);
    return number;
  }

  /// Reads a number that is none of JSON's: `NaN`, `Infinity` or `-Infinity`, as a bare word or as
  /// a string ([JsonWriter] has it so).
  ///
  /// @return nothing, and nothing is read, if another value comes
  public OptionalDouble notFinite() {
    for (NotFinite each : NotFinite.values()) {
      String word = isString() ? each.quoted() : each.word();
      if (isNext(word)) {
        at += word.length();
        return OptionalDouble.of(each.value());
      }
    }
    return OptionalDouble.empty();
  }

  private boolean isString() {
    return peek() == '"';
  }

  /* By its first letter, which no value of JSON has. */
  private boolean isBareWord() {
    byte first = peek();
    byte letter = first == '-' && at + 1 < end ? bytes[at + 1] : first;
    return letter == 'N' || letter == 'I';
  }

  /// Reads plain numbers of an array together with the comma behind each, and stores them as
  /// floats; then an element comes that may be anything.
  ///
  /// @param first place of the first among the floats
  /// @param most numbers
  /// @return how many were read, which may be none
  public long floats(MemorySegment floats, long first, long most) {
    long read = plain.read(position(), floats, first, most);
    at = plain.next();
    return read;
  }

  /// Reads `true` or `false`.
  public boolean bool() {
    boolean value = peek() == 't';
    word(value ? "true" : "false");
    return value;
  }

  /// Reads a value of no interest.
  public void skip() {
    switch (kind()) {
      case OBJECT -> members(this::skipMember);
      case ARRAY -> array(this::skip);
      case STRING -> skipString();
      case NUMBER -> number();
      case BOOLEAN -> bool();
      case NULL -> word("null");
    }
  }

  /// Reads the values of an input, among which may be numbers that JSON does not have.
  public void skipValues() {
    if (isArray()) {
      array(this::skipValues);
    } else if (!isBareWord() || notFinite().isEmpty()) {
      skip();
    }
  }

  private void skipMember() {
    skipString();
    take(':');
    skip();
  }

  /* One with escapes, or beyond ASCII, may be malformed. */
  private void skipString() {
    int start = position() + 1;
    int close = closingQuote(start);
    if (isPlain(start, close)) {
      at = close + 1;
    } else {
      string();
    }
  }

  private boolean isNext(String word) {
    int start = position();
    return start + word.length() <= end
        && new String(bytes, start, word.length(), StandardCharsets.ISO_8859_1).equals(word);
  }

  private void word(String word) {
    if (!isNext(word)) {
      throw unexpected();
    }
    at += word.length();
  }

  /// Checks that nothing but space follows.
  public void expectEnd() {
    skipSpace();
    if (at < end) {
      throw malformed("something follows its end");
    }
  }

  /// The value that comes, short enough for a message.
  public String excerpt() {
    if (position() >= end) {
      return "the end";
    }
    return switch (bytes[at]) {
      case '{' -> "an object";
      case '[' -> "an array";
      case '"' -> '"' + cut(string()) + '"';
      default -> cut(token());
    };
  }

  private String token() {
    int stop = at;
    while (stop < end && stop - at <= MAX_EXCERPT && " \t\r\n,:[]{}\"".indexOf(bytes[stop]) < 0) {
      stop++;
    }
    return new String(bytes, at, Math.max(1, stop - at), StandardCharsets.UTF_8);
  }

  /// A text, short enough for a message.
  public static String cut(String text) {
    return text.length() <= MAX_EXCERPT ? text : text.substring(0, MAX_EXCERPT) + "…";
  }

  private byte peek() {
    skipSpace();
    if (at >= end) {
      throw malformed("it ends too early");
    }
    return bytes[at];
  }

  private void skipSpace() {
    while (at < end && bytes[at] <= ' ' && isSpace(bytes[at])) {
      at++;
      letOthersRun();
    }
    letOthersRun();
  }

  private void letOthersRun() {
    if (at > pieceEnd) {
      pieceEnd = at + PIECE_BYTES;
      Thread.yield();
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private InvalidRequestException unexpected() {
    return malformed(at >= end ? "it ends too early" : "unexpected '" + token() + "'");
  }

  InvalidRequestException malformedAt(int place, String what) {
    at = place;
    return malformed(what);
  }

  InvalidRequestException malformed(String what) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < Math.min(at, end); i++) {
      if (bytes[i] == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new InvalidRequestException(
        "malformed JSON at line %d, column %d: %s".formatted(line, at - lineStart + 1, what));
  }
}
