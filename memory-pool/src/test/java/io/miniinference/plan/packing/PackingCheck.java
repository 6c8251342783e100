package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/// Whether a packing keeps its promises, from the definition.
final class PackingCheck {
  private PackingCheck() {}

  /// No two rectangles that are live together share a byte, all lie between 0 and the peak, one
  /// ends there, and each starts at a multiple of the alignment.
  static void assertSound(List<Rectangle> rectangles, long alignmentBytes, Packing packing) {
    long[] offsets = packing.offsets();
    assertThat(offsets).hasSize(rectangles.size());
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      assertThat(offsets[i]).isNotNegative();
      assertThat(offsets[i] % alignmentBytes).isZero();
      end = Math.max(end, offsets[i] + rectangles.get(i).sizeBytes());
      for (int j = 0; j < i; j++) {
        assertThat(collide(rectangles, offsets, i, j)).as("%d and %d", i, j).isFalse();
      }
    }
    assertThat(packing.peakBytes()).isBetween(end, end + alignmentBytes - 1);
    assertThat(packing.peakBytes()).isGreaterThanOrEqualTo(packing.boundBytes());
  }

  static boolean collide(List<Rectangle> rectangles, long[] offsets, int i, int j) {
    Rectangle a = rectangles.get(i);
    Rectangle b = rectangles.get(j);
    boolean together = a.lower() < b.upper() && b.lower() < a.upper();
    return together
        && offsets[i] < offsets[j] + b.sizeBytes()
        && offsets[j] < offsets[i] + a.sizeBytes();
  }
}
