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
import java.util.stream.Collectors;
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
  private final String text;
  private final Set<String> holes;

  private Template(String name, String text) {
    this.name = name;
    this.text = text;
    Set<String> found = new LinkedHashSet<>();
    HOLE.matcher(text).results().forEach(hole -> found.add(hole(hole.group(1), hole.group(2))));
    holes = found;
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
      List<String> open = holes.stream().filter(hole -> !fills.containsKey(hole)).toList();
      if (!open.isEmpty()) {
        throw new IllegalStateException(
            "template '%s' has holes that nothing fills: %s".formatted(name, open));
      }
      return text.lines().flatMap(line -> filled(line).stream()).collect(Collectors.joining("\n"));
    }

    private List<String> filled(String line) {
      Matcher matcher = HOLE.matcher(line);
      if (!matcher.find()) {
        return List.of(line);
      }
      String indent = line.substring(0, line.length() - line.stripLeading().length());
      String result =
          HOLE.matcher(line)
              .replaceAll(hole -> Matcher.quoteReplacement(fill(hole.group(1), hole.group(2))));
      if (result.isBlank()) {
        return List.of();
      }
      return indented(result.split("\n", -1), indent);
    }

    private String fill(@Nullable String braced, @Nullable String plain) {
      return Objects.requireNonNull(fills.get(hole(braced, plain)));
    }

    private static List<String> indented(String[] lines, String indent) {
      List<String> result = new ArrayList<>(List.of(lines[0]));
      for (int i = 1; i < lines.length; i++) {
        result.add(lines[i].isEmpty() ? "" : indent + lines[i]);
      }
      return result;
    }

    /// As [#text], so that a filled template can fill a hole of another one.
    @Override
    public String toString() {
      return text();
    }
  }
}
