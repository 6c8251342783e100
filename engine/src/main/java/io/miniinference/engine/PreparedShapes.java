package io.miniinference.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/// Shapes that a model with open sizes is compiled for before it is ready, as settings write them:
/// each as the sizes of its symbols, with semicolons between shapes, `batch=1,sequence=128;
/// batch=8,sequence=128`. A size may be a range, `sequence=16..512/16` for all multiples of 16, and
/// `sequence=1..64` for all sizes: it stands for a shape of each of them, and of each combination
/// with those of other symbols.
public final class PreparedShapes {
  /// Shapes of one text: each is compiled.
  private static final int MOST = 4_096;

  private static final Pattern SIZE =
      Pattern.compile("(.*\\S)\\s*=\\s*([0-9]{1,18})(?:\\.\\.([0-9]{1,18})(?:/([0-9]{1,18}))?)?");

  private PreparedShapes() {}

  /// The shapes, each as sizes by symbol.
  ///
  /// @throws IllegalArgumentException if the text is not of that form, or they are too many
  public static List<Map<String, Long>> parse(String text) {
    List<Map<String, Long>> shapes = new ArrayList<>();
    for (String shape : text.split(";")) {
      if (!shape.isBlank()) {
        shapes.addAll(shapes(shape.strip(), MOST - shapes.size()));
      }
    }
    return List.copyOf(shapes);
  }

  private static List<Map<String, Long>> shapes(String text, int most) {
    Map<String, Range> ranges = new TreeMap<>();
    for (String size : text.split(",")) {
      Matcher matcher = SIZE.matcher(size.strip());
      if (!matcher.matches() || ranges.put(matcher.group(1), Range.of(matcher)) != null) {
        throw new IllegalArgumentException(
            "prepare has '%s' in '%s': write SYMBOL=SIZE or SYMBOL=FROM..TO/STEP, each symbol once, as in batch=1,sequence=128"
                .formatted(size.strip(), text));
      }
    }
    List<Map<String, Long>> shapes = List.of(Map.of());
    for (Map.Entry<String, Range> range : ranges.entrySet()) {
      long[] sizes = range.getValue().sizes(text, most / Math.max(1, shapes.size()));
      shapes =
          shapes.stream()
              .flatMap(
                  shape -> Arrays.stream(sizes).mapToObj(size -> with(shape, range.getKey(), size)))
              .toList();
    }
    return shapes;
  }

  private static Map<String, Long> with(Map<String, Long> shape, String symbol, long size) {
    Map<String, Long> more = new TreeMap<>(shape);
    more.put(symbol, size);
    return more;
  }

  /// Sizes of a symbol: from one to another, each so much larger than the one before.
  private record Range(long from, long to, long step) {
    static Range of(Matcher size) {
      long from = Long.parseLong(size.group(2));
      String to = size.group(3);
      String step = size.group(4);
      return new Range(
          from, to == null ? from : Long.parseLong(to), step == null ? 1 : Long.parseLong(step));
    }

    long[] sizes(String text, int most) {
      if (to < from || step < 1) {
        throw new IllegalArgumentException(
            "prepare has '%s', of which a range has no size: FROM is at most TO in FROM..TO/STEP, and STEP 1 or more"
                .formatted(text));
      }
      if ((to - from) / step >= most) {
        throw new IllegalArgumentException(
            "prepare names more than %,d shapes with '%s': take larger steps, or pad sizes so that few are served"
                .formatted(MOST, text));
      }
      return LongStream.iterate(from, size -> size <= to, size -> size + step).toArray();
    }
  }
}
