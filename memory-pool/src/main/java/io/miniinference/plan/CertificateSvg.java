package io.miniinference.plan;

import java.util.List;
import java.util.Locale;

/// A certificate as a picture: time in steps to the right, addresses upwards, one rectangle per
/// block. A block that is written over another one is joined to it by a circle, one that is built
/// in the place of a larger one runs into it with an arrow, and is striped where it has gaps. Views
/// are dashed lines.
final class CertificateSvg {
  private static final double LEFT = 90;
  private static final double TOP = 92;
  private static final double RIGHT = 30;
  private static final double BOTTOM = 64;
  private static final double HEIGHT = 460;
  private static final double LEAST_WIDTH = 900;

  private final Certificate certificate;
  private final List<Bar> bars;
  private final int ticks;
  private final double column;
  private final double width;
  private final long topBytes;
  private final StringBuilder out = new StringBuilder();

  CertificateSvg(Certificate certificate) {
    this.certificate = certificate;
    bars = Bar.of(certificate);
    ticks = Math.max(1, certificate.plan().lifetimes().ticks());
    column = Math.max(LEAST_WIDTH / ticks, ticks > 120 ? 8 : 14);
    width = LEFT + column * ticks + RIGHT;
    topBytes = Math.max(1, certificate.plannedBytes());
  }

  String svg() {
    open();
    header();
    grid();
    bars.forEach(this::bar);
    bars.forEach(this::joint);
    bars.forEach(this::arrow);
    bound();
    return out.append("</svg>\n").toString();
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private void add(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private double x(double tick) {
    return LEFT + column * Math.clamp(tick, 0, ticks);
  }

  private double y(long bytes) {
    return TOP + HEIGHT * (1 - (double) bytes / topBytes);
  }

  private void open() {
    double height = TOP + HEIGHT + BOTTOM;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
            + " height=\"%.0f\" font-family=\"ui-sans-serif, system-ui, Helvetica, Arial,"
            + " sans-serif\" font-size=\"11\" fill=\"#2b2f36\">",
        width, height, width, height);
    add("<title>Memory plan of %s, batch %d</title>", escaped(model()), certificate.batch());
    add("<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fcfcfa\"/>", width, height);
    add(
        "<defs><pattern id=\"gaps\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
            + "<path d=\"M0 1.5H6M0 4.5H6\" stroke=\"#fcfcfa\" stroke-width=\"1.5\"/></pattern>"
            + "</defs>");
  }

  private String model() {
    return certificate.deployment().model();
  }

  private void header() {
    add(
        "<text x=\"%.0f\" y=\"26\" font-size=\"17\" font-weight=\"600\">%s</text>",
        LEFT, escaped(model() + " on " + certificate.deployment().device()));
    add(
        "<text x=\"%.0f\" y=\"46\" fill=\"#5b616b\">batch %d: planned %s, naive %s, lower bound %s,"
            + " placement bound %s</text>",
        LEFT,
        certificate.batch(),
        CertificateText.human(certificate.plannedBytes()),
        CertificateText.human(certificate.naiveBytes()),
        CertificateText.human(certificate.lowerBoundBytes()),
        CertificateText.human(certificate.placementBoundBytes()));
    double at = LEFT;
    for (Bar.Role role : Bar.Role.values()) {
      add(
          "<rect x=\"%.1f\" y=\"60\" width=\"12\" height=\"12\" rx=\"2\" fill=\"%s\""
              + " stroke=\"%s\"/>",
          at, fill(role), stroke(role));
      add("<text x=\"%.1f\" y=\"70\">%s</text>", at + 17, label(role));
      at += 40 + 7 * label(role).length();
    }
    legendLines(at);
  }

  private void legendLines(double at) {
    add(
        "<circle cx=\"%.1f\" cy=\"66\" r=\"4\" fill=\"#fff\" stroke=\"#2b2f36\""
            + " stroke-width=\"1.4\"/><text x=\"%.1f\" y=\"70\">in place</text>",
        at + 4, at + 13);
    add(
        "<path d=\"M%.1f 66h22\" stroke=\"#2b2f36\" stroke-dasharray=\"3 2\" opacity=\".6\"/>"
            + "<text x=\"%.1f\" y=\"70\">view</text>",
        at + 78, at + 105);
    add(
        "<path d=\"M%.1f 66h22\" stroke=\"#c2352b\" stroke-width=\"1.5\""
            + " stroke-dasharray=\"7 4\"/><text x=\"%.1f\" y=\"70\">lower bound</text>",
        at + 144, at + 171);
    add(
        "<path d=\"M%.1f 61l9 5l-9 5z\" fill=\"#2b2f36\"/>"
            + "<text x=\"%.1f\" y=\"70\">built in its place</text>",
        at + 250, at + 264);
  }

  private static String label(Bar.Role role) {
    return switch (role) {
      case INPUT -> "input";
      case BETWEEN -> "between";
      case SCRATCH -> "scratch";
      case OUTPUT -> "output";
    };
  }

  /* Neighbours of one role differ a little. */
  private static String fill(Bar bar) {
    String[] shades = {"#b9cdea", "#c9d9f0", "#a9c0e2"};
    return bar.role() == Bar.Role.BETWEEN ? shades[bar.block().id() % 3] : fill(bar.role());
  }

  private static String fill(Bar.Role role) {
    return switch (role) {
      case INPUT -> "#a9d3c1";
      case BETWEEN -> "#b9cdea";
      case SCRATCH -> "#dcd9d2";
      case OUTPUT -> "#f3cf9b";
    };
  }

  private static String stroke(Bar.Role role) {
    return switch (role) {
      case INPUT -> "#3f8a6d";
      case BETWEEN -> "#4a6fa5";
      case SCRATCH -> "#8b867b";
      case OUTPUT -> "#b9781f";
    };
  }

  private void grid() {
    long unit = unit(topBytes);
    for (long at = 0; at <= topBytes; at += unit) {
      add(
          "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e3de\"/><text x=\"%.1f\" y=\"%.1f\""
              + " text-anchor=\"end\" fill=\"#5b616b\">%s</text>",
          LEFT, y(at), width - RIGHT, LEFT - 8, y(at) + 4, CertificateText.human(at));
    }
    int every = Math.max(1, (int) Math.ceil(34 / column));
    for (int tick = 0; tick < ticks; tick += every) {
      add(
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#5b616b\">%d</text>",
          x(tick + 0.5), TOP + HEIGHT + 18, certificate.plan().lifetimes().stepNumber(tick));
    }
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#5b616b\">step</text>",
        (LEFT + width - RIGHT) / 2, TOP + HEIGHT + 40);
  }

  /* A round number of bytes of which four to eight make the height. */
  private static long unit(long bytes) {
    long unit = 64;
    while (bytes / unit > 8) {
      unit *= 2;
    }
    return unit;
  }

  /* Where one block is written over another, both have the step: each takes half of it. */
  private double start(Bar bar) {
    return bar.over().isEmpty() ? bar.range().first() : bar.range().first() + 0.5;
  }

  private double end(Bar bar) {
    boolean overwritten =
        bars.stream()
            .anyMatch(other ->
                !other.over().isEmpty()
                    && other.offsetBytes() == bar.offsetBytes()
                    && other.range().first() == bar.range().last()
                    && !other.equals(bar));
    return overwritten ? bar.range().last() + 0.5 : bar.range().last() + 1;
  }

  private void bar(Bar bar) {
    double left = x(start(bar));
    double right = x(end(bar));
    double top = y(bar.offsetBytes() + bar.spanBytes());
    double height = Math.max(0.8, y(bar.offsetBytes()) - top);
    add("<g><title>%s</title>", escaped(tooltip(bar)));
    add(
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"2\" fill=\"%s\""
            + " stroke=\"%s\" stroke-width=\"%s\"/>",
        left + 0.5,
        top,
        Math.max(1, right - left - 1),
        height,
        fill(bar),
        stroke(bar.role()),
        height < 3 ? "0.4" : "1");
    if (bar.hasGaps()) {
      add(
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#gaps)\"/>",
          left + 1, top, Math.max(1, right - left - 2), height);
    }
    label(bar, left, right, top, height);
    views(bar, top, height);
    add("</g>");
  }

  /* Along the bar where the name fits there, or else upwards where that shows more of it. */
  private void label(Bar bar, double left, double right, double top, double height) {
    int across = letters(right - left);
    int upwards = right - left >= 13 ? letters(height) : 0;
    if (across < bar.name().length() && upwards > Math.max(3, across)) {
      add(
          "<text transform=\"translate(%.1f %.1f) rotate(-90)\">%s</text>",
          (left + right) / 2 + 4, top + height - 5, shown(bar, upwards));
    } else if (height >= 10 && across >= Math.min(4, bar.name().length())) {
      add(
          "<text x=\"%.1f\" y=\"%.1f\">%s</text>",
          left + 5, top + Math.min(height / 2 + 3.5, 15), shown(bar, across));
      if (height >= 30 && across >= 9) {
        add(
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9.5\" fill=\"#5b616b\">%s</text>",
            left + 5, top + 28, CertificateText.human(bar.sizeBytes()));
      }
    }
  }

  private static int letters(double room) {
    return (int) ((room - 8) / 6.2);
  }

  private static String shown(Bar bar, int room) {
    String name = bar.name();
    return escaped(name.length() <= room ? name : "…" + name.substring(name.length() - room + 1));
  }

  private void views(Bar bar, double top, double height) {
    int shown = 0;
    for (TensorUse tensor : bar.tensors()) {
      boolean view = tensor.aliasOf() != null && !tensor.aliasOf().equals(bar.over());
      if (view && height >= 6 && shown < 8) {
        double lift = 3 + Math.min(3, height / 10) * shown++;
        double at = Math.clamp(y(tensor.offsetBytes()) - lift, top + 2, top + height - 2);
        add(
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
  private void joint(Bar bar) {
    if (!bar.over().isEmpty()) {
      double top = y(bar.offsetBytes() + bar.spanBytes());
      double height = y(bar.offsetBytes()) - top;
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#fff\" stroke=\"#2b2f36\""
              + " stroke-width=\"1.4\"><title>%s</title></circle>",
          x(start(bar)),
          top + (height > 70 ? Math.max(34, height / 5) : height / 2),
          escaped(bar.name() + " is written over " + bar.over()));
    }
  }

  /* Where a block has been built, the larger one takes over. */
  private void arrow(Bar bar) {
    if (!bar.into().isEmpty()) {
      double middle = y(bar.offsetBytes() + bar.spanBytes() / 2);
      add(
          "<path d=\"M%.1f %.1fl9 5l-9 5z\" fill=\"#2b2f36\"><title>%s</title></path>",
          x(end(bar)) - 5, middle - 5, escaped(bar.name() + " is built in " + bar.into()));
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
      add(
          "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#c2352b\" stroke-width=\"1.5\""
              + " stroke-dasharray=\"7 4\"><title>lower bound: %,d B live at once</title></path>",
          LEFT, y(certificate.lowerBoundBytes()), width - RIGHT, certificate.lowerBoundBytes());
    }
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .filter(CertificateSvg::isXml)
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
