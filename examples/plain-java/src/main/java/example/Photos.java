package example;

import io.miniinference.ir.Tensor;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/** Photographs as the networks of ImageNet take them. */
final class Photos {
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};

  static Tensor tensor(BufferedImage photo, int height, int width) {
    BufferedImage scaled = scaled(photo, height, width);
    float[] planes = new float[3 * height * width];
    for (int pixel = 0; pixel < height * width; pixel++) {
      int rgb = scaled.getRGB(pixel % width, pixel / width);
      for (int colour = 0; colour < 3; colour++) {
        float value = (rgb >> (16 - 8 * colour) & 255) / 255f;
        planes[colour * height * width + pixel] = (value - MEAN[colour]) / DEVIATION[colour];
      }
    }
    return Tensor.of(planes, 1, 3, height, width);
  }

  private static BufferedImage scaled(BufferedImage photo, int height, int width) {
    BufferedImage scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = scaled.createGraphics();
    canvas.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
    canvas.drawImage(photo, 0, 0, width, height, null);
    canvas.dispose();
    return scaled;
  }
}
