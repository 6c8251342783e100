package io.miniinference.plan.packing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A packing instance as text: a header line that names the columns, then a line per rectangle with
/// comma-separated whole numbers.
///
/// ```
/// id,lower,upper,size
/// 0,0,4,1024
/// ```
///
/// `lower` (included) and `upper` (excluded) are ticks of any clock, `size` is in bytes. Columns
/// may come in any order; others than these three are not read. The benchmark files of MiniMalloc
/// are in this form.
public final class RectangleFile {
  private static final int MOST_RECTANGLES = 100_000;
  private static final int MOST_LINE_CHARACTERS = 4096;
  private static final long MOST_TICK = 1L << 61;
  private static final long MOST_BYTES = 1L << 40;

  private final Path file;
  private final BufferedReader reader;
  private int line;

  private RectangleFile(Path file, BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  /// @throws IllegalArgumentException if the file is in another form, with the line and the remedy
  public static List<Rectangle> read(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new RectangleFile(file, reader).rectangles();
    }
  }

  private List<Rectangle> rectangles() throws IOException {
    List<String> header = next();
    if (header.isEmpty()) {
      throw wrong("the file is empty; it must start with a line 'id,lower,upper,size'");
    }
    List<String> names = header.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    int lower = column(names, "lower");
    int upper = column(names, "upper");
    int size = column(names, "size");
    List<Rectangle> rectangles = new ArrayList<>();
    for (List<String> row = next(); !row.isEmpty(); row = next()) {
      requireLength(row, names, rectangles.size());
      rectangles.add(
          rectangle(
              number(row.get(lower), "lower", -MOST_TICK, MOST_TICK),
              number(row.get(upper), "upper", -MOST_TICK, MOST_TICK),
              number(row.get(size), "size", 0, MOST_BYTES)));
    }
    return rectangles;
  }

  /* The cells of the next line that is not blank, none at the end. */
  private List<String> next() throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.toString().isBlank()) {
      text.setLength(0);
      line++;
      int c = reader.read();
      if (c < 0) {
        return List.of();
      }
      for (; c >= 0 && c != '\n'; c = reader.read()) {
        text.append((char) c);
        if (text.length() > MOST_LINE_CHARACTERS) {
          throw wrong("longer than %d characters; is this a CSV file?", MOST_LINE_CHARACTERS);
        }
      }
    }
    return List.of(text.toString().split(",", -1)).stream().map(String::strip).toList();
  }

  private int column(List<String> names, String name) {
    if (names.indexOf(name) < 0 || names.indexOf(name) != names.lastIndexOf(name)) {
      throw wrong(
          "the header '%s' must name 'lower', 'upper' and 'size' once each, as in"
              + " 'id,lower,upper,size'",
          shortened(String.join(",", names)));
    }
    return names.indexOf(name);
  }

  private void requireLength(List<String> row, List<String> names, int read) {
    if (row.size() != names.size()) {
      throw wrong("%d cells where the header has %d", row.size(), names.size());
    }
    if (read == MOST_RECTANGLES) {
      throw wrong("more than %d rectangles; split the file", MOST_RECTANGLES);
    }
  }

  private long number(String cell, String column, long least, long most) {
    try {
      long number = Long.parseLong(cell);
      if (least <= number && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      /* told below */
    }
    throw wrong(
        "%s is '%s'; it must be a whole number from %d to %d",
        column, shortened(cell), least, most);
  }

  private Rectangle rectangle(long lower, long upper, long size) {
    if (lower >= upper) {
      throw wrong(
          "lives from %d to %d; upper is the first tick after it, so it must be above lower",
          lower, upper);
    }
    return new Rectangle(lower, upper, size);
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private IllegalArgumentException wrong(String format, Object... arguments) {
    return new IllegalArgumentException(
        "%s, line %d: %s".formatted(file, line, format.formatted(arguments)));
  }
}
