package io.miniinference.bench.driver;

/// In what order blocks come and go.
public enum Turnover {
  /// A block is freed before the next one is allocated.
  AT_ONCE("1 MiB, freed at once"),
  /// One of the live blocks, drawn at random, is freed, and one of another size allocated in its
  /// stead.
  IN_PLACE_OF_ANY("7/8 to 1 MiB, in place of any");

  private final String text;

  Turnover(String text) {
    this.text = text;
  }

  /// As tables show it.
  public String text() {
    return text;
  }
}
