package io.miniinference.device.team;

import java.util.concurrent.atomic.AtomicLongArray;

/// The items of one launch in pieces, the least that a member of a group claims at once. Every
/// member has a part of its own and claims half of what is left of it, from its front, so that it
/// works on what it worked on in the launch before; when that is empty, it claims half of what is
/// left of others' parts, from their ends. So few claims are needed, and the last ones are small: a
/// member that begins late, or loses its core for a while, delays nobody by more than what it
/// claimed last.
final class Pieces {
  /// What a claim returns when all is claimed.
  static final long NONE = 0;

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

  /// Claims pieces that follow each other for a member.
  ///
  /// @return where they begin and end, see [#firstItem] and [#endItem], or [#NONE]
  long claim(int member) {
    long claimed = claimFront(member);
    for (int i = 1; i < members && claimed == NONE; i++) {
      claimed = claimBack((member + i) % members);
    }
    return claimed;
  }

  private long claimFront(int part) {
    while (true) {
      long word = parts.get(part * APART);
      int middle = first(word) + half(word);
      if (first(word) >= end(word)) {
        return NONE;
      }
      if (parts.compareAndSet(part * APART, word, word(middle, end(word)))) {
        return word(first(word), middle);
      }
    }
  }

  private long claimBack(int part) {
    while (true) {
      long word = parts.get(part * APART);
      int middle = end(word) - half(word);
      if (first(word) >= end(word)) {
        return NONE;
      }
      if (parts.compareAndSet(part * APART, word, word(first(word), middle))) {
        return word(middle, end(word));
      }
    }
  }

  /// The first item of what was claimed.
  long firstItem(long claimed) {
    return bound(items, first(claimed), count);
  }

  /// The item behind the last of what was claimed.
  long endItem(long claimed) {
    return bound(items, end(claimed), count);
  }

  /* Of what is left of a part: at least one piece if there is one. */
  private static int half(long word) {
    return (end(word) - first(word) + 1) / 2;
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
