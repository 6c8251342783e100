package io.miniinference.bench.peer;

import java.util.Random;

/// A drawing of 28 × 28 pixels from 0 (paper) to 1 (ink), of the size, ink and softness of a
/// handwritten digit: a few strokes of a pen, one going on where the last one ended.
final class Drawing {
  static final int SIDE = 28;
  static final int PIXELS = SIDE * SIDE;
  private static final int STROKES = 4;
  private static final double MARGIN = 5;
  private static final double PEN = 1.6;

  private Drawing() {}

  /// Whether a tensor's last two dimensions are those of a drawing.
  static boolean fits(long[] shape) {
    int rank = shape.length;
    return rank >= 2 && shape[rank - 1] == SIDE && shape[rank - 2] == SIDE;
  }

  static float[] of(Random random) {
    float[] image = new float[PIXELS];
    double x = somewhere(random);
    double y = somewhere(random);
    for (int stroke = 0; stroke < STROKES; stroke++) {
      double toX = somewhere(random);
      double toY = somewhere(random);
      draw(image, new Line(x, y, toX, toY));
      x = toX;
      y = toY;
    }
    return image;
  }

  private static double somewhere(Random random) {
    return MARGIN + random.nextDouble() * (SIDE - 2 * MARGIN);
  }

  private static void draw(float[] image, Line line) {
    for (int i = 0; i < PIXELS; i++) {
      double ink = PEN - line.distance(i % SIDE, i / SIDE);
      image[i] = Math.max(image[i], (float) Math.clamp(ink, 0, 1));
    }
  }

  /// A piece of a straight line.
  private record Line(double x, double y, double toX, double toY) {
    double distance(double px, double py) {
      double dx = toX - x;
      double dy = toY - y;
      double along = ((px - x) * dx + (py - y) * dy) / Math.max(dx * dx + dy * dy, 1e-9);
      double near = Math.clamp(along, 0, 1);
      return Math.hypot(px - x - near * dx, py - y - near * dy);
    }
  }
}
