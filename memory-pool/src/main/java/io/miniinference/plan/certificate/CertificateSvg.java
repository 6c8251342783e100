package io.miniinference.plan.certificate;

import static io.miniinference.plan.certificate.SvgText.escaped;

import io.miniinference.plan.live.TimedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A certificate as a picture: time in steps to the right, addresses upwards, one rectangle per
/// block. A block that is written over another one is joined to it by a circle, one that is built
/// in the place of a larger one runs into it with an arrow, and is striped where it has gaps. What
/// is built in another row of a loop's result in each iteration lies in the first row, over all of
/// them. Views are dashed lines, loops and branches brackets below.
final class CertificateSvg {
  private static final double LEFT = 90;
  private static final double TOP = 92;
  private static final double RIGHT = 30;
  private static final double BOTTOM = 64;
  private static final double HEIGHT = 460;
  private static final double LEAST_WIDTH = 900;
  private static final double BRACKET = 15;
  private static final int MOST_BRACKETS = 4;

  private final Certificate certificate;
  private final List<Bar> bars;
  private final List<SvgShape> shapes;
  private final List<SvgLabel> labels = new ArrayList<>();
  private final int ticks;
  private final double column;
  private final double width;
  private final long topBytes;
  private final SvgText out = new SvgText();

  CertificateSvg(Certificate certificate) {
    this.certificate = certificate;
    bars = Bar.of(certificate);
    ticks = Math.max(1, certificate.plan().lifetimes().ticks());
    column = Math.max(LEAST_WIDTH / ticks, ticks > 120 ? 8 : 14);
    width = LEFT + column * ticks + RIGHT;
    topBytes = Math.max(1, certificate.plannedBytes());
    shapes = bars.stream().map(this::shape).toList();
  }

  String svg() {
    open();
    header();
    grid();
    brackets();
    shapes.forEach(this::draw);
    shapes.forEach(this::views);
    shapes.forEach(this::joint);
    shapes.forEach(this::arrow);
    shapes.forEach(this::label);
    bound();
    out.add("</svg>");
    return out.toString();
  }

  private double x(double tick) {
    return LEFT + column * Math.clamp(tick, 0, ticks);
  }

  private double y(long bytes) {
    return TOP + HEIGHT * (1 - (double) bytes / topBytes);
  }

  private void open() {
    double height = TOP + HEIGHT + BOTTOM + BRACKET * depth();
    out.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
            + " height=\"%.0f\" font-family=\"ui-sans-serif, system-ui, Helvetica, Arial,"
            + " sans-serif\" font-size=\"11\" fill=\"#2b2f36\">",
        width, height, width, height);
    out.add("<title>Memory plan of %s, batch %d</title>", escaped(model()), certificate.batch());
    out.add("<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fcfcfa\"/>", width, height);
    out.add(
        "<defs><pattern id=\"gaps\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
            + "<path d=\"M0 1.5H6M0 4.5H6\" stroke=\"#fcfcfa\" stroke-width=\"1.5\"/></pattern>"
            + "</defs>");
  }

  private String model() {
    return certificate.deployment().model();
  }

  private void header() {
    out.add(
        "<text x=\"%.0f\" y=\"26\" font-size=\"17\" font-weight=\"600\">%s</text>",
        LEFT, escaped(model() + " on " + certificate.deployment().device()));
    out.add(
        "<text x=\"%.0f\" y=\"46\" fill=\"#5b616b\">batch %d: planned %s, naive %s, lower bound %s,"
            + " placement bound %s</text>",
        LEFT,
        certificate.batch(),
        CertificateText.human(certificate.plannedBytes()),
        CertificateText.human(certificate.naiveBytes()),
        CertificateText.human(certificate.lowerBoundBytes()),
        CertificateText.human(certificate.placementBoundBytes()));
    SvgLegend.write(out, bars, LEFT);
  }

  private void grid() {
    long unit = unit(topBytes);
    for (long at = 0; at <= topBytes; at += unit) {
      out.add(
          "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e3de\"/><text x=\"%.1f\" y=\"%.1f\""
              + " text-anchor=\"end\" fill=\"#5b616b\">%s</text>",
          LEFT, y(at), width - RIGHT, LEFT - 8, y(at) + 4, CertificateText.human(at));
    }
    int every = Math.max(1, (int) Math.ceil(34 / column));
    int before = -1;
    for (int tick = 0; tick < ticks; tick += every) {
      int step = step(tick);
      if (step != before) {
        out.add(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#5b616b\">%d</text>",
            x(tick + 0.5), TOP + HEIGHT + 18, step);
      }
      before = step;
    }
    out.add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#5b616b\">step</text>",
        (LEFT + width - RIGHT) / 2, TOP + HEIGHT + 40 + BRACKET * depth());
  }

  /* A round number of bytes of which four to eight make the height. */
  private static long unit(long bytes) {
    long unit = 64;
    while (bytes / unit > 8) {
      unit *= 2;
    }
    return unit;
  }

  /* What a step with bodies takes of the time, with its name; inner ones below. */
  private void brackets() {
    List<TimedStep> open = new ArrayList<>();
    for (TimedStep timed : certificate.plan().lifetimes().steps()) {
      open.removeIf(outer -> outer.exit() < timed.enter());
      if (!timed.step().bodies().isEmpty()) {
        if (open.size() < MOST_BRACKETS) {
          bracket(timed, TOP + HEIGHT + 24 + BRACKET * open.size());
        }
        open.add(timed);
      }
    }
  }

  private void bracket(TimedStep timed, double top) {
    double left = x(timed.enter()) + 1;
    double right = x(timed.exit() + 1.0) - 1;
    String name = timed.step().op() + " " + timed.step().name();
    int letters = (int) ((right - left - 8) / 5.6);
    out.add(
        "<path d=\"M%.1f %.1fv5H%.1fv-5\" fill=\"none\" stroke=\"#8b867b\"><title>%s</title></path>",
        left, top, right, escaped(name));
    if (letters >= 4) {
      String shown = name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
      out.add(
          "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" fill=\"#5b616b\">%s</text>",
          left + 4, top + 14, escaped(shown));
    }
  }

  /* How many brackets there are below each other. */
  private int depth() {
    int most = 0;
    List<TimedStep> open = new ArrayList<>();
    for (TimedStep timed : certificate.plan().lifetimes().steps()) {
      open.removeIf(outer -> outer.exit() < timed.enter());
      if (!timed.step().bodies().isEmpty()) {
        open.add(timed);
      }
      most = Math.max(most, open.size());
    }
    return Math.min(MOST_BRACKETS, most);
  }

  /* All rows of what is another one in each iteration. */
  private SvgShape shape(Bar bar) {
    Bar.Rows rows = bar.rows();
    long from = rows == null ? bar.offsetBytes() : rows.offsetBytes();
    long to = from + (rows == null ? bar.spanBytes() : rows.sizeBytes());
    double top = y(to);
    double bottom = Math.max(top + 0.8, y(from));
    double left = x(start(bar)) + 0.5;
    return new SvgShape(bar, left, Math.max(left + 1, x(end(bar)) - 0.5), top, bottom);
  }

  /* Where one block is written over another, both have the step: each takes half of it. */
  private double start(Bar bar) {
    boolean second = !bar.over().isEmpty() || bars.stream().anyMatch(g -> isBroughtInto(g, bar));
    return Math.max(0, bar.range().first()) + (second ? 0.5 : 0);
  }

  /* An input that the first step is built around. */
  private static boolean isBroughtInto(Bar guest, Bar host) {
    return guest.into().equals(host.block().name())
        && guest.range().first() < 0
        && host.range().first() == 0;
  }

  /* What is built in a larger block ends where that begins: from there on it is a part of it. */
  private double end(Bar bar) {
    double end = bar.range().last() + (isOverwritten(bar) ? 0.5 : 1);
    return bars.stream()
        .filter(host -> host.block().name().equals(bar.into()))
        .filter(host -> host.range().first() > bar.range().first())
        .mapToDouble(this::start)
        .reduce(end, Math::min);
  }

  private boolean isOverwritten(Bar bar) {
    return bars.stream()
        .anyMatch(other ->
            !other.over().isEmpty()
                && other.offsetBytes() == bar.offsetBytes()
                && other.range().first() == bar.range().last()
                && !other.equals(bar));
  }

  private void draw(SvgShape shape) {
    out.add("<g><title>%s</title>", escaped(tooltip(shape.bar())));
    rectangle(shape, shape.bar().rows() == null ? 1 : 0.55);
    if (shape.bar().rows() != null) {
      rows(shape);
    }
    if (shape.bar().hasGaps()) {
      out.add(
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#gaps)\"/>",
          shape.left() + 0.5, shape.top(), Math.max(1, shape.width() - 1), shape.height());
    }
    out.add("</g>");
  }

  private void rectangle(SvgShape shape, double opacity) {
    out.add(
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"2\" fill=\"%s\""
            + " stroke=\"%s\" stroke-width=\"%s\" fill-opacity=\"%.2f\"/>",
        shape.left(),
        shape.top(),
        shape.width(),
        shape.height(),
        SvgColors.fill(shape.bar()),
        SvgColors.stroke(shape.bar().role()),
        shape.height() < 3 ? "0.4" : "1",
        opacity);
  }

  /* Lines between rows where they are not too close, and the first row. */
  private void rows(SvgShape shape) {
    Bar bar = shape.bar();
    double row = HEIGHT * bar.sizeBytes() / topBytes;
    String stroke = SvgColors.stroke(bar.role());
    for (double at = shape.bottom() - row; row >= 3 && at > shape.top() + 1; at -= row) {
      out.add(
          "<path d=\"M%.2f %.2fH%.2f\" stroke=\"%s\" stroke-width=\"0.6\"/>",
          shape.left(), at, shape.right(), stroke);
    }
    double height = Math.min(shape.height(), Math.max(1, row));
    out.add(
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>",
        shape.left() + 0.5,
        shape.bottom() - height,
        Math.max(1, shape.width() - 1),
        height,
        SvgColors.fill(bar));
  }

  private void label(SvgShape shape) {
    SvgLabel.of(shape, shapes, labels)
        .ifPresent(label -> {
          labels.add(label);
          out.add(
              label.isUpwards()
                  ? "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"%.0f\">%s</text>"
                  : "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\">%s</text>",
              label.x(),
              label.y(),
              label.size(),
              escaped(label.text()));
          boolean hasRoom = shape.height() >= 30 && shape.width() >= 60;
          if (!label.isUpwards() && hasRoom && label.y() > shape.top()) {
            out.add(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" fill=\"#5b616b\">%s</text>",
                label.x(), label.y() + 13, CertificateText.human(shape.bar().sizeBytes()));
          }
        });
  }

  private void views(SvgShape shape) {
    int shown = 0;
    for (TensorUse tensor : shape.bar().tensors()) {
      if (shape.bar().isView(tensor) && shape.height() >= 6 && shown < 8) {
        double lift = 3 + Math.min(3, shape.height() / 10) * shown++;
        double at = Math.clamp(y(tensor.offsetBytes()) - lift, shape.top() + 2, shape.bottom() - 2);
        out.add(
            "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#2b2f36\" stroke-dasharray=\"3 2\""
                + " opacity=\".6\"><title>%s</title></path>",
            x(tensor.use().first()) + 2,
            at,
            x(tensor.use().last() + 1.0) - 2,
            escaped(tensor.array().name() + ", a view of " + tensor.aliasOf()));
      }
    }
  }

  /* High up in tall bars, where no name is in the way. */
  private void joint(SvgShape shape) {
    if (!shape.bar().over().isEmpty()) {
      out.add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#fff\" stroke=\"#2b2f36\""
              + " stroke-width=\"1.4\"><title>%s</title></circle>",
          shape.left() - 0.5,
          shape.top()
              + (shape.height() > 70 ? Math.max(34, shape.height() / 5) : shape.height() / 2),
          escaped(shape.bar().name() + " is written over " + shape.bar().over()));
    }
  }

  /* Where a block has been built, the larger one takes over. */
  private void arrow(SvgShape shape) {
    if (!shape.bar().into().isEmpty()) {
      double middle = (shape.top() + shape.bottom()) / 2;
      out.add(
          "<path d=\"M%.1f %.1fl9 5l-9 5z\" fill=\"#2b2f36\"><title>%s</title></path>",
          shape.right() - 4.5,
          middle - 5,
          escaped(shape.bar().name() + " is built in " + shape.bar().into()));
    }
  }

  private String tooltip(Bar bar) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %,d B at %,d, steps %d to %d",
            bar.name(),
            bar.sizeBytes(),
            bar.offsetBytes(),
            step(bar.range().first()),
            step(bar.range().last())));
    if (!bar.over().isEmpty()) {
      text.append("\nwritten over ").append(bar.over());
    }
    if (!bar.into().isEmpty()) {
      text.append("\nbuilt in ").append(bar.into());
    }
    Bar.Rows rows = bar.rows();
    if (rows != null) {
      text.append("\nanother row of ").append(rows.name()).append(" in each iteration");
    }
    for (TensorUse tensor : bar.tensors()) {
      if (!tensor.array().name().equals(bar.name())) {
        text.append("\nread as ").append(tensor.array().name());
      }
    }
    return text.toString();
  }

  private int step(int tick) {
    return certificate.plan().lifetimes().stepNumber(Math.max(0, tick));
  }

  private void bound() {
    if (certificate.lowerBoundBytes() <= topBytes) {
      out.add(
          "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#c2352b\" stroke-width=\"1.5\""
              + " stroke-dasharray=\"7 4\"><title>lower bound: %,d B live at once</title></path>",
          LEFT, y(certificate.lowerBoundBytes()), width - RIGHT, certificate.lowerBoundBytes());
    }
  }
}
