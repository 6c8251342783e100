package io.miniinference.plan.certificate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Where the name of a bar is written, so that nothing lies over it: along the bar where it fits
/// whole, or else upwards, or beside a flat bar, or else as much of its end as there is room for.
///
/// @param isUpwards whether it is turned by a quarter
/// @param size of the letters
record SvgLabel(double x, double y, boolean isUpwards, double size, String text) {
  static final double LARGE = 11;
  static final double SMALL = 9;

  /// Of the size of its letters, in the widest of the usual fonts.
  private static final double LETTER_WIDTH = 0.6;

  private static final double MARGIN = 4;
  private static final int FEWEST_LETTERS = 4;

  /* A part of a line, or of a column. */
  private record Gap(double from, double to) {
    double width() {
      return to - from;
    }
  }

  double right() {
    return x + (isUpwards ? 0 : width(text, size));
  }

  private static double width(String text, double size) {
    return text.length() * size * LETTER_WIDTH;
  }

  /// The label of a shape, if there is room for any.
  ///
  /// @param shapes all, by the order in which they are drawn
  /// @param labels that are written already
  static Optional<SvgLabel> of(SvgShape shape, List<SvgShape> shapes, List<SvgLabel> labels) {
    String name = shape.bar().name();
    List<SvgShape> over = shapes.subList(shapes.indexOf(shape) + 1, shapes.size());
    return along(shape, name, LARGE, over)
        .or(() -> along(shape, name, SMALL, over))
        .or(() -> upwards(shape, name, over))
        .or(() -> above(shape, name, shapes, labels))
        .or(() -> cut(shape, name, over))
        .or(() -> cutUpwards(shape, name, over));
  }

  private static Optional<SvgLabel> along(
      SvgShape shape, String text, double size, List<SvgShape> over) {
    double line = shape.top() + Math.min(shape.height() / 2 + size / 3, 4 + size);
    Gap gap = widest(shape, line - size, line + 2, over);
    boolean fits = shape.height() >= size && width(text, size) + 2 * MARGIN <= gap.width();
    return fits
        ? Optional.of(new SvgLabel(gap.from + MARGIN, line, false, size, text))
        : Optional.empty();
  }

  private static Optional<SvgLabel> upwards(SvgShape shape, String text, List<SvgShape> over) {
    Gap gap = widest(shape, shape.top(), shape.bottom(), over);
    double size = gap.width() >= LARGE + 3 ? LARGE : SMALL;
    boolean fits = gap.width() >= size + 2 && width(text, size) + 2 * MARGIN <= shape.height();
    double middle = (gap.from + gap.to) / 2 + size / 3;
    return fits
        ? Optional.of(new SvgLabel(middle, shape.bottom() - MARGIN, true, size, text))
        : Optional.empty();
  }

  /* Over a bar that is too flat for a name, where nothing else is. */
  private static Optional<SvgLabel> above(
      SvgShape shape, String text, List<SvgShape> all, List<SvgLabel> labels) {
    double end = all.stream().mapToDouble(SvgShape::right).max().orElse(shape.right());
    double start = Math.min(shape.left() + 1, end - width(text, SMALL));
    SvgLabel label = new SvgLabel(start, shape.top() - 3, false, SMALL, text);
    boolean free =
        shape.height() < SMALL
            && all.stream()
                .noneMatch(s ->
                    s != shape && s.meets(label.x, label.right(), label.y - SMALL, label.y + 1))
            && labels.stream().noneMatch(label::meets);
    return free ? Optional.of(label) : Optional.empty();
  }

  private boolean meets(SvgLabel other) {
    return !other.isUpwards
        && x < other.right()
        && other.x < right()
        && Math.abs(y - other.y) < SMALL + 2;
  }

  private static Optional<SvgLabel> cut(SvgShape shape, String text, List<SvgShape> over) {
    double line = shape.top() + Math.min(shape.height() / 2 + SMALL / 3, 4 + SMALL);
    Gap gap = widest(shape, line - SMALL, line + 2, over);
    return shape.height() < SMALL
        ? Optional.empty()
        : end(text, gap.width())
            .map(end -> new SvgLabel(gap.from + MARGIN, line, false, SMALL, end));
  }

  private static Optional<SvgLabel> cutUpwards(SvgShape shape, String text, List<SvgShape> over) {
    Gap gap = widest(shape, shape.top(), shape.bottom(), over);
    double middle = (gap.from + gap.to) / 2 + SMALL / 3;
    return gap.width() < SMALL + 2
        ? Optional.empty()
        : end(text, shape.height())
            .map(end -> new SvgLabel(middle, shape.bottom() - MARGIN, true, SMALL, end));
  }

  private static Optional<String> end(String text, double room) {
    int letters = (int) ((room - 2 * MARGIN) / (SMALL * LETTER_WIDTH));
    return letters < FEWEST_LETTERS
        ? Optional.empty()
        : Optional.of(
            letters < text.length() ? "…" + text.substring(text.length() - letters + 1) : text);
  }

  /* The widest part of a shape between two heights over which nothing is drawn. */
  private static Gap widest(SvgShape shape, double top, double bottom, List<SvgShape> over) {
    List<Gap> covered = new ArrayList<>();
    for (SvgShape other : over) {
      if (other.meets(shape.left(), shape.right(), top, bottom)) {
        covered.add(new Gap(other.left(), other.right()));
      }
    }
    covered.sort(Comparator.comparingDouble(Gap::from));
    Gap best = new Gap(shape.left(), shape.left());
    double from = shape.left();
    for (Gap each : covered) {
      if (each.from - from > best.width()) {
        best = new Gap(from, each.from);
      }
      from = Math.max(from, each.to);
    }
    return shape.right() - from > best.width() ? new Gap(from, shape.right()) : best;
  }
}
