package io.miniinference.plan.certificate;

import java.util.List;
import java.util.function.Predicate;

/// The line that says what the signs of a picture mean, those that occur in it.
final class SvgLegend {
  private static final double LETTER = 6.4;
  private static final double BETWEEN = 20;

  private final SvgText out;
  private final List<Bar> bars;
  private double at;

  private SvgLegend(SvgText out, List<Bar> bars, double at) {
    this.out = out;
    this.bars = bars;
    this.at = at;
  }

  /// Writes it from `left` on.
  static void write(SvgText out, List<Bar> bars, double left) {
    SvgLegend legend = new SvgLegend(out, bars, left);
    for (Bar.Role role : Bar.Role.values()) {
      if (legend.any(bar -> bar.role() == role)) {
        legend.role(role);
      }
    }
    legend.signs();
  }

  private boolean any(Predicate<Bar> which) {
    return bars.stream().anyMatch(which);
  }

  private void role(Bar.Role role) {
    out.add(
        "<rect x=\"%.1f\" y=\"60\" width=\"12\" height=\"12\" rx=\"2\" fill=\"%s\""
            + " stroke=\"%s\"/>",
        at, SvgColors.fill(role), SvgColors.stroke(role));
    text(17, SvgColors.label(role));
  }

  private void signs() {
    if (any(bar -> !bar.over().isEmpty())) {
      out.add(
          "<circle cx=\"%.1f\" cy=\"66\" r=\"4\" fill=\"#fff\" stroke=\"#2b2f36\""
              + " stroke-width=\"1.4\"/>",
          at + 4);
      text(13, "in place");
    }
    if (any(bar -> !bar.into().isEmpty())) {
      out.add("<path d=\"M%.1f 61l9 5l-9 5z\" fill=\"#2b2f36\"/>", at);
      text(14, "built in its place");
    }
    if (any(bar -> bar.rows() != null)) {
      out.add(
          "<path d=\"M%1$.1f 60h18v12h-18zm0 4h18m-18 4h18\" fill=\"none\" stroke=\"%2$s\"/>"
              + "<path d=\"M%1$.1f 68h18v4h-18z\" fill=\"%2$s\"/>",
          at, SvgColors.stroke(Bar.Role.BETWEEN));
      text(23, "one row in each iteration");
    }
    if (any(Bar::hasViews)) {
      out.add("<path d=\"M%.1f 66h22\" stroke=\"#2b2f36\" stroke-dasharray=\"3 2\"/>", at);
      text(27, "view");
    }
    out.add(
        "<path d=\"M%.1f 66h22\" stroke=\"#c2352b\" stroke-width=\"1.5\""
            + " stroke-dasharray=\"7 4\"/>",
        at);
    text(27, "lower bound");
  }

  private void text(double after, String text) {
    out.add("<text x=\"%.1f\" y=\"70\">%s</text>", at + after, text);
    at += after + text.length() * LETTER + BETWEEN;
  }
}
