package io.miniinference.testing.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Changes bytes as damage and malice do: bits, numbers at the ends of their range, pieces left
/// out, doubled, or taken from another seed.
record Mutator(RandomGenerator random) {
  private static final int MOST_CHANGES = 6;
  private static final byte[][] NUMBERS = {
    {0},
    {1},
    {127},
    {-1, 1},
    {-1, -1, -1, -1, 7},
    {-1, -1, -1, -1, -1, -1, -1, -1, 127},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
    {-128, -128, -128, -128, -128, -128, -128, -128, -128, 1}
  };

  byte[] mutated(List<byte[]> seeds) {
    byte[] bytes = any(seeds).clone();
    for (int changes = random.nextInt(1, MOST_CHANGES); changes > 0; changes--) {
      bytes = changed(bytes, seeds);
    }
    return bytes;
  }

  private byte[] any(List<byte[]> seeds) {
    return seeds.get(random.nextInt(seeds.size()));
  }

  private byte[] changed(byte[] bytes, List<byte[]> seeds) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + random.nextInt(1, 33));
    return switch (random.nextInt(6)) {
      case 0 -> replaced(bytes, from, from, NUMBERS[random.nextInt(NUMBERS.length)]);
      case 1 -> replaced(bytes, from, Math.min(from + 1, bytes.length), NUMBERS[random.nextInt(3)]);
      case 2 -> replaced(bytes, from, to, new byte[0]);
      case 3 -> replaced(bytes, from, from, piece(bytes, from, to));
      case 4 -> replaced(bytes, from, to, ofAnother(any(seeds)));
      default -> flipped(bytes);
    };
  }

  private byte[] ofAnother(byte[] seed) {
    int from = random.nextInt(seed.length + 1);
    return piece(seed, from, Math.min(seed.length, from + random.nextInt(1, 65)));
  }

  private byte[] flipped(byte[] bytes) {
    byte[] changed = bytes.clone();
    if (changed.length > 0) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }

  private static byte[] piece(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.writeBytes(by);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }
}
