package io.miniinference.service.tensors;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/// An image of 1 (grey) or 3 (red, green, blue) channels of numbers from 0 to 255, row by row and
/// pixel by pixel. Transparency is left out.
record Pixels(int height, int width, int channels, float[] values) {
  private static final int LARGEST_SIDE = 1 << 14;
  private static final int RGB = 3;

  /// Luma of ITU-R BT.601, as Pillow has it.
  private static final double[] GREY = {0.299, 0.587, 0.114};

  /// @throws IllegalArgumentException if the bytes are no image, or a huge one
  static Pixels decode(Path file, byte[] bytes) {
    ImageIO.setUseCache(false);
    try (ImageInputStream stream =
        ImageIO.createImageInputStream(new ByteArrayInputStream(bytes))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
      if (!readers.hasNext()) {
        throw wrong(file, "it is no image that Java knows", null);
      }
      return decode(file, readers.next(), stream);
    } catch (IOException | RuntimeException e) {
      throw e instanceof IllegalArgumentException told
          ? told
          : wrong(file, "it is damaged: " + e.getMessage(), e);
    }
  }

  private static Pixels decode(Path file, ImageReader reader, ImageInputStream stream)
      throws IOException {
    try {
      reader.setInput(stream, true, true);
      int longest = Math.max(reader.getWidth(0), reader.getHeight(0));
      if (longest > LARGEST_SIDE) {
        throw wrong(
            file, "a side has %,d pixels, more than %,d".formatted(longest, LARGEST_SIDE), null);
      }
      return of(reader.read(0));
    } finally {
      reader.dispose();
    }
  }

  private static IllegalArgumentException wrong(Path file, String why, @Nullable Exception cause) {
    return new IllegalArgumentException("'%s' cannot be read: %s".formatted(file, why), cause);
  }

  /* Java brightens grey images when it is asked for their colours, so that they are read as they are. */
  private static Pixels of(BufferedImage image) {
    Raster raster = image.getRaster();
    boolean isGrey =
        raster.getNumBands() <= 2 && !(image.getColorModel() instanceof IndexColorModel);
    int channels = isGrey ? 1 : RGB;
    var values = new float[image.getHeight() * image.getWidth() * channels];
    var pixels = new Pixels(image.getHeight(), image.getWidth(), channels, values);
    for (int y = 0; y < pixels.height; y++) {
      for (int x = 0; x < pixels.width; x++) {
        pixels.put(y, x, isGrey ? grey(raster, x, y) : image.getRGB(x, y));
      }
    }
    return pixels;
  }

  private static int grey(Raster raster, int x, int y) {
    int bits = raster.getSampleModel().getSampleSize(0);
    int sample = raster.getSample(x, y, 0);
    return bits >= 8 ? sample >> (bits - 8) : sample * 255 / ((1 << bits) - 1);
  }

  /* A number of one byte for each channel, blue lowest. */
  private void put(int y, int x, int value) {
    for (int c = 0; c < channels; c++) {
      values[(y * width + x) * channels + c] = value >> (8 * (channels - 1 - c)) & 0xFF;
    }
  }

  float at(int y, int x, int channel) {
    return values[(y * width + x) * channels + channel];
  }

  /// In another size: rows first, then columns.
  Pixels scaled(int newHeight, int newWidth) {
    if (newHeight == height && newWidth == width) {
      return this;
    }
    return transposedTo(newWidth).transposedTo(newHeight);
  }

  /// Another width, with the axes exchanged.
  private Pixels transposedTo(int newWidth) {
    var result = new Pixels(newWidth, height, channels, new float[newWidth * height * channels]);
    for (int x = 0; x < newWidth; x++) {
      var window = Window.of(x, width, newWidth);
      for (int y = 0; y < height; y++) {
        for (int c = 0; c < channels; c++) {
          result.values[(x * height + y) * channels + c] = weighted(window, y, c);
        }
      }
    }
    return result;
  }

  private float weighted(Window window, int y, int channel) {
    double sum = 0;
    for (int i = 0; i < window.weights().length; i++) {
      sum += window.weights()[i] * at(y, window.from() + i, channel);
    }
    return (float) sum;
  }

  /// With 1 or 3 channels.
  Pixels of(int wanted) {
    if (wanted == channels) {
      return this;
    }
    var result = new Pixels(height, width, wanted, new float[height * width * wanted]);
    for (int i = 0; i < height * width; i++) {
      for (int c = 0; c < wanted; c++) {
        result.values[i * wanted + c] = wanted == 1 ? luma(i) : values[i];
      }
    }
    return result;
  }

  private float luma(int pixel) {
    double sum = 0;
    for (int c = 0; c < RGB; c++) {
      sum += GREY[c] * values[pixel * RGB + c];
    }
    return (float) sum;
  }
}
