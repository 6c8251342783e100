package io.miniinference.plan.verify;

/// Who wrote a byte of the arena last.
///
/// @param kind what that left there
/// @param step number of the writing step, -1 for the request
/// @param value name of the value
/// @param block id of the block it was written as
record Owner(Kind kind, int step, String value, int block) {
  enum Kind {
    /// An element of a value, or its padding.
    VALUE,
    /// What a kernel leaves in its scratch memory.
    SCRATCH,
    /// What was there before the request.
    NOTHING
  }

  static final Owner NOBODY = new Owner(Kind.NOTHING, -1, "", -1);

  @Override
  public String toString() {
    return switch (kind) {
      case VALUE -> "hold '" + value + "', written by " + writer();
      case SCRATCH -> "hold scratch of " + writer();
      case NOTHING -> "were never written";
    };
  }

  private String writer() {
    return step < 0 ? "the request" : "step " + step;
  }
}
