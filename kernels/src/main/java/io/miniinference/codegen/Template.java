package io.miniinference.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Kernel text with named holes, as it is read: `for (int k = 0; k < $depth; k++)`.
///
/// A hole is a `$` and a name, or `${name}` where a letter or digit follows it; the same hole may
/// stand in several places. Lines of a fill after its first are indented as the line is that the
/// hole stands in. A line of holes alone goes where all of them are filled with nothing.
///
/// What a [Dialect] spells is a word with an `@` ([Word]), and stays as it is here.
public final class Template {
  private static final Pattern HOLE =
      Pattern.compile("\\$(?:\\{([a-z][A-Za-z0-9]*)}|([a-z][A-Za-z0-9]*))");

  private final String name;
  private final List<Line> lines;
  private final Set<String> holes;
  private final int length;

  private Template(String name, String text) {
    this.name = name;
    length = text.length();
    lines = text.lines().map(Line::of).toList();
    holes = new LinkedHashSet<>();
    lines.forEach(line -> holes.addAll(line.holes));
  }

  /* A line as what is between its holes, and those; one text more than there are holes. */
  private record Line(String indent, List<String> texts, List<String> holes) {
    static Line of(String line) {
      List<String> texts = new ArrayList<>();
      List<String> holes = new ArrayList<>();
      Matcher matcher = HOLE.matcher(line);
      int from = 0;
      while (matcher.find()) {
        texts.add(line.substring(from, matcher.start()));
        holes.add(hole(matcher.group(1), matcher.group(2)));
        from = matcher.end();
      }
      texts.add(line.substring(from));
      String indent = line.substring(0, line.length() - line.stripLeading().length());
      return new Line(indent, texts, holes);
    }

    /* Adds the line behind a separator, unless all its holes are filled with nothing. */
    boolean add(Map<String, String> fills, StringBuilder to, String separator) {
      int before = to.length();
      to.append(separator);
      if (holes.isEmpty()) {
        to.append(texts.getFirst());
        return true;
      }
      int start = to.length();
      to.append(texts.getFirst());
      for (int i = 0; i < holes.size(); i++) {
        addIndented(Objects.requireNonNull(fills.get(holes.get(i))), to, start);
        addIndented(texts.get(i + 1), to, start);
      }
      if (isBlank(to, start)) {
        to.setLength(before);
        return false;
      }
      return true;
    }

    /* Lines after the first of what began at `start` are indented, but for those without text. */
    private void addIndented(String text, StringBuilder to, int start) {
      int from = 0;
      while (from < text.length()) {
        int end = text.indexOf('\n', from) + 1;
        boolean begins = to.length() > start && to.charAt(to.length() - 1) == '\n';
        if (begins && text.charAt(from) != '\n') {
          to.append(indent);
        }
        to.append(text, from, end == 0 ? text.length() : end);
        from = end == 0 ? text.length() : end;
      }
    }

    private static boolean isBlank(StringBuilder text, int from) {
      for (int i = from; i < text.length(); i++) {
        if (!Character.isWhitespace(text.charAt(i))) {
          return false;
        }
      }
      return true;
    }
  }

  private static String hole(@Nullable String braced, @Nullable String plain) {
    return braced != null ? braced : Objects.requireNonNull(plain);
  }

  /// @param name for messages
  /// @param text a last line break is left out
  public static Template of(String name, String text) {
    return new Template(name, text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
  }

  /// The text of a template without holes.
  public String text() {
    return new Filling().text();
  }

  /// The template with a first hole filled.
  public Filling with(String hole, Object value) {
    return new Filling().with(hole, value);
  }

  /// A template whose holes are being filled, each once.
  public final class Filling {
    private final Map<String, String> fills = new LinkedHashMap<>();

    private Filling() {}

    /// Fills a hole with what `value` is as text.
    ///
    /// @throws IllegalStateException if there is no such hole, or if it is filled
    public Filling with(String hole, Object value) {
      if (!holes.contains(hole)) {
        throw new IllegalStateException(
            "template '%s' has no hole '%s', it has %s".formatted(name, hole, holes));
      }
      if (fills.putIfAbsent(hole, value.toString()) != null) {
        throw new IllegalStateException(
            "hole '%s' of template '%s' is filled twice".formatted(hole, name));
      }
      return this;
    }

    /// The text.
    ///
    /// @throws IllegalStateException if a hole is not filled
    public String text() {
      if (fills.size() < holes.size()) {
        List<String> open = holes.stream().filter(hole -> !fills.containsKey(hole)).toList();
        throw new IllegalStateException(
            "template '%s' has holes that nothing fills: %s".formatted(name, open));
      }
      StringBuilder text = new StringBuilder(capacity());
      String separator = "";
      for (Line line : lines) {
        if (line.add(fills, text, separator)) {
          separator = "\n";
        }
      }
      return text.toString();
    }

    /* About the length of the text: a hole may stand in several places. */
    private int capacity() {
      int capacity = length;
      for (String fill : fills.values()) {
        capacity += fill.length() + fill.length() / 4;
      }
      return capacity;
    }

    /// As [#text], so that a filled template can fill a hole of another one.
    @Override
    public String toString() {
      return text();
    }
  }
}
