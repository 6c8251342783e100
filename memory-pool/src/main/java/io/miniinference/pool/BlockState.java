package io.miniinference.pool;

import java.util.Locale;

/// What a block of the pool is at the moment.
public enum BlockState {
  /// Nobody's: the next fitting request may take it.
  FREE,
  /// Somebody has a live handle to it.
  USED,
  /// Kept under a tag for the next request of that kind, or until memory is short.
  HELD;

  /// The state as memory maps write it.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
