package io.miniinference.service.tensors;

import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Optional;

/// Where an input has the pixels of one image. A height or width that is open is the image's own.
///
/// @param shape of the whole input, of one row
/// @param isByChannel whether all of a channel lies together, as PyTorch has it
record ImageLayout(long[] shape, int channels, int height, int width, boolean isByChannel) {
  private static final int LARGEST_SIDE = 1 << 12;

  static Optional<ImageLayout> of(TensorSpec input, Pixels image) {
    List<Long> sizes = input.dims().stream().map(ImageLayout::size).toList();
    int rank = sizes.size();
    if (rank == 2 && !input.isByRows()) {
      return of(input, 1, sizes.get(0), sizes.get(1), true, image);
    }
    if (rank != 3 && rank != 4) {
      return Optional.empty();
    }
    List<Long> one = sizes.subList(rank - 3, rank);
    boolean isByPixel = one.get(2) == 3 && one.get(0) != 3;
    if (isChannels(one.get(0)) && !isByPixel) {
      return of(input, one.get(0), one.get(1), one.get(2), true, image);
    }
    return isChannels(one.get(2))
        ? of(input, one.get(2), one.get(0), one.get(1), false, image)
        : Optional.empty();
  }

  /// −1 where it is open.
  private static long size(Dimension dim) {
    return switch (dim) {
      case Dimension.Fixed fixed -> fixed.size();
      case Dimension.Batch rows -> rows.factor();
      case Dimension.Open _, Dimension.Rest _ -> -1;
    };
  }

  private static boolean isChannels(long size) {
    return size == 1 || size == 3;
  }

  private static Optional<ImageLayout> of(
      TensorSpec input, long channels, long height, long width, boolean isByChannel, Pixels image) {
    long h = height < 0 ? image.height() : height;
    long w = width < 0 ? image.width() : width;
    if (h < 1 || w < 1 || h > LARGEST_SIDE || w > LARGEST_SIDE) {
      return Optional.empty();
    }
    long[] shape = input.shapeAt(1);
    int at = shape.length - (shape.length == 2 ? 2 : isByChannel ? 2 : 3);
    shape[at] = h;
    shape[at + 1] = w;
    return Optional.of(new ImageLayout(shape, (int) channels, (int) h, (int) w, isByChannel))
        .filter(layout -> shape.length < 4 || shape[0] == 1);
  }

  long position(int y, int x, int channel) {
    long pixel = (long) y * width + x;
    return isByChannel ? (long) channel * height * width + pixel : pixel * channels + channel;
  }
}
