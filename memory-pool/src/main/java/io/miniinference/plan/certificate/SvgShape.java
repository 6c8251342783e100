package io.miniinference.plan.certificate;

/// A bar as a rectangle of a picture, in its units; `top` is above `bottom`, hence the smaller.
record SvgShape(Bar bar, double left, double right, double top, double bottom) {
  double width() {
    return right - left;
  }

  double height() {
    return bottom - top;
  }

  boolean meets(double x0, double x1, double y0, double y1) {
    return left < x1 && x0 < right && top < y1 && y0 < bottom;
  }
}
