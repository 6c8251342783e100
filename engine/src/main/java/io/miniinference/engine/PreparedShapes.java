package io.miniinference.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Shapes that a model with open sizes is compiled for before it is ready, as settings write them:
/// each as the sizes of its symbols, with semicolons between shapes, `batch=1,sequence=128;
/// batch=8,sequence=128`.
public final class PreparedShapes {
  private static final Pattern SIZE = Pattern.compile("(.*\\S)\\s*=\\s*([0-9]{1,18})");

  private PreparedShapes() {}

  /// The shapes, each as sizes by symbol.
  ///
  /// @throws IllegalArgumentException if the text is not of that form
  public static List<Map<String, Long>> parse(String text) {
    return Arrays.stream(text.split(";"))
        .map(String::strip)
        .filter(shape -> !shape.isEmpty())
        .map(PreparedShapes::sizes)
        .toList();
  }

  private static Map<String, Long> sizes(String shape) {
    Map<String, Long> sizes = new TreeMap<>();
    for (String size : shape.split(",")) {
      Matcher matcher = SIZE.matcher(size.strip());
      if (!matcher.matches()
          || sizes.put(matcher.group(1), Long.valueOf(matcher.group(2))) != null) {
        throw new IllegalArgumentException(
            "prepare has '%s' in '%s': write SYMBOL=SIZE, each symbol once, as in batch=1,sequence=128"
                .formatted(size.strip(), shape));
      }
    }
    return sizes;
  }
}
