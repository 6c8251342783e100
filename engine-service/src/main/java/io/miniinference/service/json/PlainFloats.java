package io.miniinference.service.json;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads numbers with commas between, as nearly all are written: a sign, digits, a point, digits,
/// and no exponent. It stops before the first that is anything else, such as one whose nearest
/// float takes more than one division to know, and leaves it to [JsonNumber]; the rules of rounding
/// are those that are told there. Its state is in local variables, since a large tensor takes no
/// longer than this loop.
final class PlainFloats {
  private static final int MOST_DIGITS = 18;
  private static final int NOT_PLAIN = -1;

  /// More bytes than are looked at for one number.
  private static final int LOOKAHEAD = 48;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int next;

  /// @param end where the text ends
  PlainFloats(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /// Stores numbers as floats as long as each is plain, and a comma and another number follow it.
  ///
  /// @param from where a number begins
  /// @param first place of the first among the floats
  /// @param most numbers
  /// @return how many were stored; the one behind them begins at [#next]
  long read(int from, MemorySegment floats, long first, long most) {
    int at = from;
    long stored = 0;
    while (stored < most && end - at > LOOKAHEAD) {
      int behind = store(bytes, at, floats, (first + stored) * Float.BYTES);
      if (behind < 0) {
        break;
      }
      at = behind;
      stored++;
    }
    next = at;
    return stored;
  }

  int next() {
    return next;
  }

  /* Stores the number at `at` and returns where the next begins, −1 if one of them is not plain. Digits
  that are too many for a long are counted, not understood. */
  private static int store(byte[] bytes, int at, MemorySegment floats, long offset) {
    boolean negative = bytes[at] == '-';
    int start = negative ? at + 1 : at;
    int i = start;
    long digits = 0;
    int digit = bytes[i] - '0';
    while (digit >= 0 && digit <= 9 && i - start < MOST_DIGITS) {
      digits = digits * 10 + digit;
      digit = bytes[++i] - '0';
    }
    int point = i;
    if (bytes[i] == '.') {
      i++;
      long eight = (long) EIGHT_BYTES.get(bytes, i);
      while (JsonNumber.areDigits(eight) && i - start < MOST_DIGITS) {
        digits = digits * 100_000_000 + JsonNumber.valueOf(eight);
        i += 8;
        eight = (long) EIGHT_BYTES.get(bytes, i);
      }
      digit = bytes[i] - '0';
      while (digit >= 0 && digit <= 9 && i - start <= MOST_DIGITS) {
        digits = digits * 10 + digit;
        digit = bytes[++i] - '0';
      }
    }
    if (!isPlain(bytes, start, point, i)) {
      return NOT_PLAIN;
    }
    int behind = following(bytes, i + 1);
    double near = JsonNumber.scaledDown(digits, Math.max(0, i - point - 1));
    if (behind < 0 || !JsonNumber.isSureAsFloat(near)) {
      return NOT_PLAIN;
    }
    floats.set(INT, offset, Float.floatToRawIntBits(negative ? -(float) near : (float) near));
    return behind;
  }

  /* Digits from `start` to `point`, and if there is a point, more behind it to `stop`, then a comma. */
  private static boolean isPlain(byte[] bytes, int start, int point, int stop) {
    boolean whole = point > start && (point == start + 1 || bytes[start] != '0');
    boolean few = stop - start <= (stop == point ? MOST_DIGITS : MOST_DIGITS + 1);
    return whole && few && stop != point + 1 && bytes[stop] == ',';
  }

  /* Where a number begins behind a comma and at most one space, −1 if none does. */
  private static int following(byte[] bytes, int afterComma) {
    int at = bytes[afterComma] == ' ' ? afterComma + 1 : afterComma;
    byte first = bytes[at];
    return first == '-' || first >= '0' && first <= '9' ? at : NOT_PLAIN;
  }
}
