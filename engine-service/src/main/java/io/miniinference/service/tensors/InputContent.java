package io.miniinference.service.tensors;

import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// What a file says about the content of an input, before the input is known.
public interface InputContent {
  /// Largest file that is read, in bytes.
  long MOST_BYTES = 1L << 30;

  /// Sizes of axis 0, where the content alone tells it; else 1.
  long rows();

  /// The inputs that the content names itself, as a whole request does; else none.
  default List<String> inputs() {
    return List.of();
  }

  /// Whether it is an image, which is scaled and may be normalised.
  default boolean isImage() {
    return false;
  }

  /// The content as the input wants it.
  ///
  /// @throws IllegalArgumentException if it does not fit the input
  Tensor tensor(TensorSpec input);

  /// Reads a file, whose form its ending tells: `.npy`, `.json`, or an image.
  ///
  /// @throws IllegalArgumentException if there is no such file, or it is not what its ending says
  static InputContent read(Path file, Normalisation normalisation) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "npy" -> NpyContent.of(file, bytes(file));
      case "json" -> JsonContent.of(file, bytes(file));
      case "png", "jpg", "jpeg", "gif", "bmp" -> ImageContent.of(file, bytes(file), normalisation);
      default ->
          throw new IllegalArgumentException(
              "'%s' is none of .npy, .json, .png, .jpg, .gif, .bmp".formatted(file));
    };
  }

  private static byte[] bytes(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException("there is no file '" + file + "'");
      }
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException(
            "'%s' has %,d bytes, more than %,d".formatted(file, Files.size(file), MOST_BYTES));
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
