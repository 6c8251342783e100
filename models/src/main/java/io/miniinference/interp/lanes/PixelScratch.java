package io.miniinference.interp.lanes;

/// The working memory of one thread for [VectorChannels] and [VectorWindow], kept between calls. It
/// grows as needed.
public final class PixelScratch {
  private static final ThreadLocal<PixelScratch> OF_THREAD =
      ThreadLocal.withInitial(PixelScratch::new);

  private float[] values = {};
  private float[] left = {};
  private float[] right = {};
  private int[] pixelAt = {};
  private int[] depthAt = {};

  private PixelScratch() {}

  public static PixelScratch get() {
    return OF_THREAD.get();
  }

  /// At least `count` values of an image.
  public float[] values(int count) {
    if (values.length < count) {
      values = new float[count];
    }
    return values;
  }

  /// At least `count` values in between.
  public float[] left(int count) {
    if (left.length < count) {
      left = new float[count];
    }
    return left;
  }

  /// At least `count` other values in between.
  public float[] right(int count) {
    if (right.length < count) {
      right = new float[count];
    }
    return right;
  }

  /// At least `count` places of pixels.
  public int[] pixelAt(int count) {
    if (pixelAt.length < count) {
      pixelAt = new int[count];
    }
    return pixelAt;
  }

  /// At least `count` places of taps.
  public int[] depthAt(int count) {
    if (depthAt.length < count) {
      depthAt = new int[count];
    }
    return depthAt;
  }
}
