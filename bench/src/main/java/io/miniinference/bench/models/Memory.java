package io.miniinference.bench.models;

import java.util.Locale;

/// Where an input lies when a run begins, and its outputs when it ends.
enum Memory {
  /// Ordinary memory of the host, such as a Java array. The run copies it, on all sides.
  ORDINARY,

  /// Memory that a GPU reads by itself: a request that was decoded into its place.
  PINNED;

  /// As tables show it.
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
