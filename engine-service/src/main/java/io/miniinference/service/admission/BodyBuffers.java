package io.miniinference.service.admission;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;

/// Arrays of large bodies that were read and parsed, kept for the next ones. Large bodies are often
/// read one after another, each into arrays that grow as its bytes come; as garbage these would
/// have the collector stop all requests again and again.
public final class BodyBuffers {
  private static final int LEAST_BYTES = 64 << 10;
  private static final int PIECE_BYTES = 1 << 20;

  private final long mostBytes;
  private final Deque<byte[]> kept = new ArrayDeque<>();
  private long keptBytes;

  /// @param mostBytes that are kept; the arrays that were used longest ago make room
  public BodyBuffers(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /// The memory of one body, to be closed when nothing refers to it any more.
  public Body open() {
    return new Body();
  }

  private synchronized byte[] take(int length) {
    for (Iterator<byte[]> each = kept.iterator(); each.hasNext(); ) {
      byte[] array = each.next();
      if (array.length >= length && array.length / 2 <= length) {
        each.remove();
        keptBytes -= array.length;
        return array;
      }
    }
    return new byte[length];
  }

  private synchronized void giveBack(byte[] array) {
    if (array.length <= LEAST_BYTES || array.length > mostBytes) {
      return;
    }
    kept.addFirst(array);
    keptBytes += array.length;
    while (keptBytes > mostBytes) {
      keptBytes -= kept.removeLast().length;
    }
  }

  synchronized long keptBytes() {
    return keptBytes;
  }

  /// One body's memory. For one thread.
  public final class Body implements AutoCloseable {
    private byte[] bytes = new byte[0];

    /// An array of at least so many bytes, which begins with what the one before held; behind that
    /// it may hold anything.
    public byte[] grow(int length) {
      byte[] before = bytes;
      if (before.length < length && length <= LEAST_BYTES) {
        bytes = Arrays.copyOf(before, length);
      } else if (before.length < length) {
        bytes = take(length);
        copy(before, bytes);
        giveBack(before);
      }
      return bytes;
    }

    /* Piece by piece, since the collector, for which all threads stop, waits for the end of a copy. */
    private static void copy(byte[] from, byte[] to) {
      for (int at = 0; at < from.length; at += PIECE_BYTES) {
        System.arraycopy(from, at, to, at, Math.min(PIECE_BYTES, from.length - at));
      }
    }

    /// Leaves the array to those who refer to it.
    public void leave() {
      bytes = new byte[0];
    }

    @Override
    public void close() {
      giveBack(bytes);
      leave();
    }
  }
}
