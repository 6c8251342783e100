package io.miniinference.service.fullstack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/// The MNIST test set: 10,000 images of 28×28 grey levels, and the digits they show. The files have
/// the IDX format (http://yann.lecun.com/exdb/mnist).
final class Digits {
  private static final int IMAGES_HEADER_BYTES = 16;
  private static final int LABELS_HEADER_BYTES = 8;
  private static final int PIXELS = 28 * 28;

  /// The grey levels as the models want them, from 0 to 1, in the fewest digits that are exact.
  private static final String[] LEVELS = levels();

  private final byte[] pixels;
  private final byte[] labels;

  private Digits(byte[] pixels, byte[] labels) {
    this.pixels = pixels;
    this.labels = labels;
  }

  static Digits read() {
    return new Digits(
        content("t10k-images-idx3-ubyte.gz", IMAGES_HEADER_BYTES),
        content("t10k-labels-idx1-ubyte.gz", LABELS_HEADER_BYTES));
  }

  private static byte[] content(String file, int headerBytes) {
    Path path = Path.of(System.getProperty("mie.data"), "mnist", file);
    try (InputStream in = new GZIPInputStream(Files.newInputStream(path))) {
      byte[] all = in.readAllBytes();
      int count = ByteBuffer.wrap(all).getInt(4);
      if ((all.length - headerBytes) % count != 0) {
        throw new IOException(path + " is cut off");
      }
      return Arrays.copyOfRange(all, headerBytes, all.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] levels() {
    String[] levels = new String[256];
    Arrays.setAll(levels, level -> Float.toString(level / 255f));
    levels[0] = "0";
    return levels;
  }

  int count() {
    return labels.length;
  }

  int label(int image) {
    return labels[image];
  }

  /// The images from `first` on as JSON, without brackets.
  CharSequence json(int first, int count) {
    var json = new StringBuilder(count * PIXELS * 4);
    for (int at = first * PIXELS; at < (first + count) * PIXELS; at++) {
      json.append(LEVELS[pixels[at] & 255]).append(',');
    }
    json.setLength(json.length() - 1);
    return json;
  }
}
