package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.nio.file.Path;

/// An image, which is scaled to the input's height and width (bilinear, over all pixels that one of
/// the input stands for) and written channel by channel or pixel by pixel, as the input has it.
/// Floats are from 0 to 1, less the mean and divided by the deviation; whole numbers from 0 to 255.
record ImageContent(Path file, Pixels pixels, Normalisation normalisation) implements InputContent {
  private static final double WHITE = 255;

  static ImageContent of(Path file, byte[] bytes, Normalisation normalisation) {
    return new ImageContent(file, Pixels.decode(file, bytes), normalisation);
  }

  @Override
  public long rows() {
    return 1;
  }

  @Override
  public boolean isImage() {
    return true;
  }

  @Override
  public Tensor tensor(TensorSpec input) {
    ImageLayout layout =
        ImageLayout.of(input, pixels)
            .filter(_ -> !input.isOfStrings())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'%s' is an image, and input '%s' (%s) takes none: it would have 1 or 3 channels,"
                            .formatted(file, input.name(), input)
                        + " height and width"));
    requireFloats(input);
    Pixels scaled = pixels.scaled(layout.height(), layout.width()).of(layout.channels());
    Tensor tensor = Interpreter.allocate(input.element(), layout.shape());
    fill(TensorView.of(tensor), scaled, layout);
    return tensor;
  }

  private void requireFloats(TensorSpec input) {
    if (!input.element().isFloat() && !normalisation.equals(Normalisation.NONE)) {
      throw new IllegalArgumentException(
          "--mean and --std are for floats, and input '%s' takes %s: leave them out"
              .formatted(input.name(), input));
    }
  }

  private void fill(TensorView view, Pixels scaled, ImageLayout layout) {
    for (int y = 0; y < layout.height(); y++) {
      for (int x = 0; x < layout.width(); x++) {
        for (int c = 0; c < layout.channels(); c++) {
          double value = scaled.at(y, x, c);
          view.realAt(layout.position(y, x, c), value(view, value, c));
        }
      }
    }
  }

  private double value(TensorView view, double value, int channel) {
    return view.element().isFloat() ? normalisation.of(value / WHITE, channel) : Math.rint(value);
  }
}
