package io.miniinference.bench.peer;

import java.util.Arrays;

/// Where an input lies when a run begins, and its outputs when it ends.
public enum Memory {
  /// Ordinary memory of the host, such as a Java array. The run copies it, on all sides.
  ORDINARY("ordinary"),

  /// Memory that a GPU reads by itself: a request that was decoded into its place.
  PINNED("pinned");

  private final String text;

  Memory(String text) {
    this.text = text;
  }

  /// The one with this text.
  ///
  /// @throws PeerException if there is none
  public static Memory of(String text) {
    return Arrays.stream(values())
        .filter(memory -> memory.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new PeerException("no kind of memory: '" + text + "'"));
  }

  /// As tables show it.
  public String text() {
    return text;
  }
}
