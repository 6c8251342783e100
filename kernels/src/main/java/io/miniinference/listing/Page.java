package io.miniinference.listing;

/// Lines of text in nested paragraphs.
final class Page {
  private final StringBuilder out = new StringBuilder();
  private int indent;

  Page line(String text) {
    out.append("  ".repeat(indent)).append(text).append('\n');
    return this;
  }

  /// Lines that belong to the last one.
  Page nested(Runnable lines) {
    indent++;
    lines.run();
    indent--;
    return this;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
