package io.miniinference.device.team;

import java.util.concurrent.atomic.AtomicLongArray;

/// The items of one launch in pieces, each of which goes to whoever claims it first. Every member
/// of a group has a part of its own and claims from its front, so that it works on what it worked
/// on in the launch before; when that is empty, it claims from the ends of others' parts. So a
/// member that begins late, or loses its core for a while, delays nobody by more than the piece it
/// is at.
final class Pieces {
  /// Words between two parts: two lines of a cache, which fetches lines in pairs.
  private static final int APART = 16;

  /// The first and the end of a part's unclaimed pieces, in the high and the low half of a word.
  private final AtomicLongArray parts;

  private int members;
  private long items;
  private int count;

  /// @param most members
  Pieces(int most) {
    parts = new AtomicLongArray(most * APART);
  }

  /// Cuts `items` into `count` pieces of about the same size, and parts them among `members`. Only
  /// while nobody claims.
  void cut(long items, int count, int members) {
    this.items = items;
    this.count = count;
    this.members = members;
    for (int i = 0; i < members; i++) {
      parts.set(i * APART, word(bound(count, i, members), bound(count, i + 1, members)));
    }
  }

  /// Claims a piece for a member.
  ///
  /// @return its number, or −1 if all are claimed
  int claim(int member) {
    int piece = claimFront(member);
    for (int i = 1; i < members && piece < 0; i++) {
      piece = claimBack((member + i) % members);
    }
    return piece;
  }

  private int claimFront(int part) {
    while (true) {
      long word = parts.get(part * APART);
      if (first(word) >= end(word)) {
        return -1;
      }
      if (parts.compareAndSet(part * APART, word, word(first(word) + 1, end(word)))) {
        return first(word);
      }
    }
  }

  private int claimBack(int part) {
    while (true) {
      long word = parts.get(part * APART);
      if (first(word) >= end(word)) {
        return -1;
      }
      if (parts.compareAndSet(part * APART, word, word(first(word), end(word) - 1))) {
        return end(word) - 1;
      }
    }
  }

  /// The first item of a piece; of the one past the last, the number of items.
  long firstItem(int piece) {
    return bound(items, piece, count);
  }

  private static long word(long first, long end) {
    return first << 32 | end;
  }

  private static int first(long word) {
    return (int) (word >>> 32);
  }

  private static int end(long word) {
    return (int) word;
  }

  private static long bound(long items, int part, int parts) {
    return items / parts * part + Math.min(part, items % parts);
  }
}
