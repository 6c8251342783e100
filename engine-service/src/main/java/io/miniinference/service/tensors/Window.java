package io.miniinference.service.tensors;

/// The pixels that one pixel of a scaled line is made of: a triangle as wide as two of the larger
/// pixels, so that nothing between is lost where a line is made shorter. Source: Pillow's
/// documentation of its filter BILINEAR.
///
/// @param from the first of them
/// @param weights together 1
record Window(int from, double[] weights) {

  static Window of(int position, int size, int newSize) {
    double scale = (double) size / newSize;
    double radius = Math.max(1, scale);
    double centre = (position + 0.5) * scale;
    int from = (int) Math.max(0, Math.floor(centre - radius + 0.5));
    int to = (int) Math.min(size, Math.floor(centre + radius + 0.5));
    var weights = new double[Math.max(1, to - from)];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.max(0, 1 - Math.abs((from + i + 0.5 - centre) / radius));
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return new Window(from, weights);
  }
}
