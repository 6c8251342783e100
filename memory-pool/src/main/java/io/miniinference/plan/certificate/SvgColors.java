package io.miniinference.plan.certificate;

/// The colours of a picture by what a block is for.
final class SvgColors {
  private SvgColors() {}

  static String label(Bar.Role role) {
    return switch (role) {
      case INPUT -> "input";
      case BETWEEN -> "between";
      case SCRATCH -> "scratch";
      case OUTPUT -> "output";
    };
  }

  /* Neighbours of one role differ a little. */
  static String fill(Bar bar) {
    String[] shades = {"#b9cdea", "#c9d9f0", "#a9c0e2"};
    return bar.role() == Bar.Role.BETWEEN ? shades[bar.block().id() % 3] : fill(bar.role());
  }

  static String fill(Bar.Role role) {
    return switch (role) {
      case INPUT -> "#a9d3c1";
      case BETWEEN -> "#b9cdea";
      case SCRATCH -> "#dcd9d2";
      case OUTPUT -> "#f3cf9b";
    };
  }

  static String stroke(Bar.Role role) {
    return switch (role) {
      case INPUT -> "#3f8a6d";
      case BETWEEN -> "#4a6fa5";
      case SCRATCH -> "#8b867b";
      case OUTPUT -> "#b9781f";
    };
  }
}
