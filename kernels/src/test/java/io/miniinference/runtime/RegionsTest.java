package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Regions of images with as many samples as each says, as RoiAlign has them by default, on every
/// device. Between samples of a slope lies the slope: a bin is what is at its middle.
@OnEachDevice
final class RegionsTest extends SharedEngine {
  private static final int HEIGHT = 20;
  private static final int WIDTH = 30;
  private static final int DOWN = 3;
  private static final int ACROSS = 4;

  @Test
  void ofOneImage() {
    holds(1);
  }

  @Test
  void ofSeveral() {
    holds(3);
  }

  private void holds(int images) {
    TestModel regions =
        TestModel.opset(16)
            .floats("x", images + ",2," + HEIGHT + "," + WIDTH)
            .floats("regions", "R,4")
            .longs("of", "R")
            .node(
                "RoiAlign", "x regions of", "y", "output_height=" + DOWN, "output_width=" + ACROSS)
            .output("y");
    try (Model model = load(regions)) {
      for (int count : new int[] {1, 40}) {
        check(model, images, count);
      }
    }
  }

  private static void check(Model model, int images, int count) {
    float[] corners = new float[4 * count];
    long[] of = new long[count];
    for (int r = 0; r < count; r++) {
      corners[4 * r] = 1 + r % 7;
      corners[4 * r + 1] = 1 + r % 5;
      corners[4 * r + 2] = corners[4 * r] + 0.3f + r % 21;
      corners[4 * r + 3] = corners[4 * r + 1] + 0.7f + r % 13;
      of[r] = r % images;
    }
    Tensor regions = floats(shape(count, 4), corners);
    Tensor which = new Tensor(ElementType.I64, shape(count), MemorySegment.ofArray(of));
    float[] y =
        model.infer(
            request(slopes(images), regions, which),
            all -> all.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
    assertThat(y).containsExactly(middles(corners, of), within(2e-3f));
  }

  /* Each channel of each image begins higher, and falls along one axis and rises along the other. */
  private static float slope(long image, int channel, double row, double column) {
    return (float) (100 * image + 50 * channel + 2 * row - column);
  }

  private static Tensor slopes(int images) {
    float[] x = new float[images * 2 * HEIGHT * WIDTH];
    for (int i = 0; i < x.length; i++) {
      int plane = i / (HEIGHT * WIDTH);
      x[i] = slope(plane / 2, plane % 2, i / WIDTH % HEIGHT, i % WIDTH);
    }
    return floats(shape(images, 2, HEIGHT, WIDTH), x);
  }

  private static float[] middles(float[] corners, long[] of) {
    float[] y = new float[of.length * 2 * DOWN * ACROSS];
    for (int i = 0; i < y.length; i++) {
      int r = i / (2 * DOWN * ACROSS);
      double row = middle(corners, 4 * r + 1, (i / ACROSS % DOWN + 0.5) / DOWN);
      double column = middle(corners, 4 * r, (i % ACROSS + 0.5) / ACROSS);
      y[i] = slope(of[r], i / (DOWN * ACROSS) % 2, row, column);
    }
    return y;
  }

  private static double middle(float[] corners, int from, double share) {
    return corners[from] + share * (corners[from + 2] - corners[from]) - 0.5;
  }
}
