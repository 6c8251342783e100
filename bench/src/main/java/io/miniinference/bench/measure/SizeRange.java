package io.miniinference.bench.measure;

import module java.base;

import picocli.CommandLine.TypeConversionException;

/// Sizes that a dimension may have: multiples of `step` from `from` to `to`, all at least 1.
public record SizeRange(long from, long to, long step) {
  /// For a dimension of which nothing else is said.
  public static final SizeRange USUAL = new SizeRange(1, 64, 1);

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})(?:/(\\d{1,9}))?");

  /// Few enough to count as small.
  private static final int SMALL = 2;

  public SizeRange {
    if (from < 1 || step < 1 || to / step < Math.ceilDiv(from, step)) {
      throw new TypeConversionException(
          "no multiple of %d lies from %d to %d".formatted(step, from, to));
    }
  }

  /// Reads `4..128` or, for multiples of 4 alone, `4..128/4`.
  ///
  /// @throws TypeConversionException if it is something else
  public static SizeRange of(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new TypeConversionException(
          "'%s' is no range of sizes such as 1..128 or, for multiples of 4, 4..128/4"
              .formatted(text));
    }
    long step = parts.group(3) == null ? 1 : Long.parseLong(parts.group(3));
    return new SizeRange(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)), step);
  }

  /// One of them; every fourth time one of the smallest two, where programs are special.
  public long random(RandomGenerator random) {
    long least = Math.ceilDiv(from, step);
    long most = random.nextInt(4) == 0 ? Math.min(least + SMALL - 1, to / step) : to / step;
    return step * random.nextLong(least, most + 1);
  }

  /// The one so many behind the least, or the largest.
  public long after(long steps) {
    return step * Math.min(Math.ceilDiv(from, step) + steps, to / step);
  }

  /// The one in the middle.
  public long middle() {
    return step * ((Math.ceilDiv(from, step) + to / step) / 2);
  }
}
