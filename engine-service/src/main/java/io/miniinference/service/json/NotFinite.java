package io.miniinference.service.json;

/// The numbers that JSON does not have, by the words that Triton, Python and JavaScript call them.
enum NotFinite {
  NAN("NaN", Double.NaN),
  POSITIVE("Infinity", Double.POSITIVE_INFINITY),
  NEGATIVE("-Infinity", Double.NEGATIVE_INFINITY);

  private final String word;
  private final String quoted;
  private final double value;

  NotFinite(String word, double value) {
    this.word = word;
    this.quoted = '"' + word + '"';
    this.value = value;
  }

  String word() {
    return word;
  }

  String quoted() {
    return quoted;
  }

  double value() {
    return value;
  }
}
