package io.miniinference.plan.certificate;

import java.util.Locale;

/// The text of an SVG document in the making, an element a line.
final class SvgText {
  private final StringBuilder out = new StringBuilder();

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  void add(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  @Override
  public String toString() {
    return out.toString();
  }

  /// Text as it stands between tags: without what XML does not know.
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .filter(SvgText::isXml)
        .forEach(c -> {
          switch (c) {
            case '<' -> safe.append("&lt;");
            case '>' -> safe.append("&gt;");
            case '&' -> safe.append("&amp;");
            case '"' -> safe.append("&quot;");
            default -> safe.appendCodePoint(c);
          }
        });
    return safe.toString();
  }

  private static boolean isXml(int c) {
    boolean text = c >= ' ' || c == '\n' || c == '\t';
    boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
    return text && !surrogate && c != 0xFFFE && c != 0xFFFF;
  }
}
