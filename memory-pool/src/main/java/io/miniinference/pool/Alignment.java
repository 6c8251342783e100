package io.miniinference.pool;

/// The pool's unit: every block starts and ends on a multiple of 256 bytes (RFC 0002).
final class Alignment {
  static final long BYTES = 256;

  private Alignment() {}

  static long roundDown(long bytes) {
    return bytes & -BYTES;
  }

  /// The next multiple of 256; the largest one there is for sizes past it.
  static long roundUp(long bytes) {
    return bytes > Long.MAX_VALUE - BYTES
        ? roundDown(Long.MAX_VALUE)
        : roundDown(bytes + BYTES - 1);
  }
}
