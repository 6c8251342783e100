package io.miniinference.service.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A number of JSON where it lies. Its value is computed from up to 19 digits where that is exact,
/// and by the JDK, digit by digit, where it is not: both round to the nearest.
///
/// Up to 15 digits and powers of ten up to 22 are doubles without a rounding, so that one
/// multiplication or division rounds once (W. D. Clinger, *How to read floating point numbers
/// accurately*, 1990). With up to 19 digits the double is off by less than two of its last places;
/// a float is then right if the double is not so close to the middle between two floats.
public final class JsonNumber {
  private static final int MAX_LENGTH = 100;
  private static final int MOST_DIGITS = 19;
  private static final long EXACT_DIGITS = 1L << 53;
  private static final int EXACT_POWER = 22;
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final double[] POWERS = new double[EXACT_POWER + 1];
  private static final long HALF_FLOAT = 1L << 28;
  private static final long FLOAT_REST = (1L << 29) - 1;

  static {
    double power = 1;
    for (int i = 0; i <= EXACT_POWER; i++) {
      POWERS[i] = power;
      power *= 10;
    }
  }

  private final byte[] bytes;
  private final int end;
  private int start;
  private int stop;
  private boolean negative;
  private boolean whole;
  private boolean cut;
  private int count;
  private long digits;
  private int exponent;

  JsonNumber(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /* Reads the number that begins at `from` and returns where it ends. */
  int read(int from, JsonCursor cursor) {
    start = from;
    negative = from < end && bytes[from] == '-';
    int first = negative ? from + 1 : from;
    int afterWhole = fewDigits(first, cursor);
    int i = afterWhole < end && bytes[afterWhole] == '.' ? fewMore(afterWhole, cursor) : afterWhole;
    if (i - first > MOST_DIGITS) {
      manyDigits(first, cursor);
    }
    if (i < end && (bytes[i] | 0x20) == 'e') {
      i = power(i + 1, cursor);
    }
    whole = i == afterWhole;
    stop = i;
    if (stop - start > MAX_LENGTH) {
      throw cursor.malformedAt(start, "a number of more than " + MAX_LENGTH + " characters");
    }
    return i;
  }

  /* Reads the digits before the point, as if they were few. */
  private int fewDigits(int from, JsonCursor cursor) {
    digits = 0;
    exponent = 0;
    cut = false;
    int i = run(from, cursor);
    if (bytes[from] == '0' && i > from + 1) {
      throw cursor.malformedAt(from, "a number that begins with 0");
    }
    return i;
  }

  /* Reads the point and the digits behind it, as if all were few. */
  private int fewMore(int point, JsonCursor cursor) {
    int i = run(point + 1, cursor);
    exponent = point + 1 - i;
    return i;
  }

  /* Appends digits to those that were read, eight at a time, and returns where they end. What does
  not fit is lost. */
  private int run(int from, JsonCursor cursor) {
    long value = digits;
    int i = from;
    while (i + 8 <= end) {
      long eight = (long) EIGHT_BYTES.get(bytes, i);
      if (!areDigits(eight)) {
        break;
      }
      value = value * 100_000_000 + valueOf(eight);
      i += 8;
    }
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      value = value * 10 + bytes[i] - '0';
      i++;
    }
    if (i == from) {
      throw cursor.malformedAt(from, "a number without a digit");
    }
    digits = value;
    return i;
  }

  /* Whether each of eight bytes is from 0x30 to 0x39: its upper half is 3, and so it is after 6 was
  added. */
  static boolean areDigits(long eight) {
    long upper = eight & 0xF0F0_F0F0_F0F0_F0F0L;
    long over = (eight + 0x0606_0606_0606_0606L) & 0xF0F0_F0F0_F0F0_F0F0L;
    return (upper | over >>> 4) == 0x3333_3333_3333_3333L;
  }

  /* Eight digits, the first in the lowest byte: neighbours make pairs, pairs fours, fours eight
  (D. Lemire, *Quickly parsing eight digits*, 2018). */
  static long valueOf(long eight) {
    long ones = eight - 0x3030_3030_3030_3030L;
    long pairs = ones * 10 + (ones >>> 8);
    long low = (pairs & 0x0000_00FF_0000_00FFL) * (100 + (1_000_000L << 32));
    long high = (pairs >>> 16 & 0x0000_00FF_0000_00FFL) * (1 + (10_000L << 32));
    return (low + high) >>> 32;
  }

  /* Reads digits and point again, and counts those that do not fit. */
  private void manyDigits(int first, JsonCursor cursor) {
    digits = 0;
    count = 0;
    exponent = 0;
    int i = digitsFrom(first, cursor);
    if (i < end && bytes[i] == '.') {
      fraction(i + 1, cursor);
    }
  }

  private int fraction(int from, JsonCursor cursor) {
    int i = digitsFrom(from, cursor);
    exponent -= i - from;
    return i;
  }

  /* Digits that do not fit count as a power of ten. */
  private int digitsFrom(int from, JsonCursor cursor) {
    int i = from;
    long value = digits;
    int significant = count;
    while (i < end) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      if (significant < MOST_DIGITS) {
        value = value * 10 + digit;
        significant += value == 0 ? 0 : 1;
      } else {
        exponent++;
        cut = true;
      }
      i++;
    }
    if (i == from) {
      throw cursor.malformedAt(from, "a number without a digit");
    }
    digits = value;
    count = significant;
    return i;
  }

  private int power(int from, JsonCursor cursor) {
    boolean minus = from < end && bytes[from] == '-';
    boolean signed = minus || from < end && bytes[from] == '+';
    int i = signed ? from + 1 : from;
    int first = i;
    int value = 0;
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      value = Math.min(99_999, value * 10 + bytes[i] - '0');
      i++;
    }
    if (i == first) {
      throw cursor.malformedAt(from, "a number without a digit in its exponent");
    }
    exponent += minus ? -value : value;
    return i;
  }

  /// Whether it is written without a fraction and an exponent.
  public boolean isWhole() {
    return whole;
  }

  /// The nearest float; infinite if it is out of range.
  public float toFloat() {
    if (!isScalable()) {
      return Float.parseFloat(text());
    }
    double near = scaled();
    if (!isSureAsFloat(near)) {
      return Float.parseFloat(text());
    }
    return negative ? -(float) near : (float) near;
  }

  /* Whether the nearest float of a double, which may be off by less than two of its last places, is
  that of the number. */
  static boolean isSureAsFloat(double near) {
    long rest = Double.doubleToRawLongBits(near) & FLOAT_REST;
    return near == 0 || near >= Float.MIN_NORMAL && near < 1e38 && Math.abs(rest - HALF_FLOAT) > 2;
  }

  /// The nearest double; infinite if it is out of range.
  public double toDouble() {
    if (!isScalable() || digits > EXACT_DIGITS) {
      return Double.parseDouble(text());
    }
    return negative ? -scaled() : scaled();
  }

  /* The nineteenth digit may be the sign bit. */
  private boolean isScalable() {
    return !cut && digits >= 0 && exponent >= -EXACT_POWER && exponent <= EXACT_POWER;
  }

  /* Divided by a power of ten up to 22. */
  static double scaledDown(long digits, int power) {
    return digits / POWERS[power];
  }

  private double scaled() {
    return exponent < 0 ? digits / POWERS[-exponent] : digits * POWERS[exponent];
  }

  /// Whether a whole number is one of 64 bits with a sign.
  public boolean isLong() {
    return !cut && digits >= 0 || negative && isLeast();
  }

  /* Its 19 digits are one over the greatest. */
  private boolean isLeast() {
    return !cut && digits == Long.MIN_VALUE;
  }

  /// A whole number that [#isLong].
  public long toLong() {
    return negative ? -digits : digits;
  }

  /// Whether a whole number is one of 64 bits without a sign.
  public boolean isUnsignedLong() {
    if (negative) {
      return digits == 0 && !cut;
    }
    return !cut || isUnsignedText();
  }

  /* Twenty digits; compared as text. */
  private boolean isUnsignedText() {
    String text = text();
    return text.length() == 20 && text.compareTo("18446744073709551615") <= 0;
  }

  /// The bits of a whole number that [#isUnsignedLong].
  public long toUnsignedLong() {
    return cut ? Long.parseUnsignedLong(text()) : digits;
  }

  String text() {
    return new String(bytes, start, stop - start, StandardCharsets.ISO_8859_1);
  }

  /// The number as it is written.
  @Override
  public String toString() {
    return text();
  }
}
