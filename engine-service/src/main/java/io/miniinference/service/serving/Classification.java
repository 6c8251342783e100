package io.miniinference.service.serving;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.service.elements.StringElements;
import io.miniinference.service.serving.OutputTensor.Elements;
import io.miniinference.service.serving.OutputTensor.Strings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

/// The classification extension: in place of an output, its largest values row by row, each as
/// `value:index`, or `value:index:label` where there is a label.
final class Classification {
  private Classification() {}

  /// The `classes` largest of each row, the row being all that follows axis 0.
  ///
  /// @param labels by index; there may be fewer
  static Strings of(Elements output, int classes, List<String> labels) {
    long rows = output.shape().length < 2 ? 1 : output.shape()[0];
    int width = rows == 0 ? 0 : (int) (elements(output) / rows);
    int named = Math.min(classes, width);
    List<String> texts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      largest(output, row, width, named, labels).forEach(texts::add);
    }
    long[] shape = output.shape().length < 2 ? new long[] {named} : new long[] {rows, named};
    return new Strings(output.name(), shape, strings(texts));
  }

  private static StringElements strings(List<String> texts) {
    Tensor tensor = Tensor.of(texts.toArray(String[]::new));
    return new StringElements(tensor.data(), Objects.requireNonNull(tensor.table()));
  }

  private static long elements(Elements output) {
    return output.data().byteSize() / output.type().bytes();
  }

  private static List<String> largest(
      Elements output, int row, int width, int named, List<String> labels) {
    long first = (long) row * width;
    TensorView view = TensorView.of(new Tensor(output.type(), output.shape(), output.data()));
    return IntStream.range(0, width)
        .boxed()
        .sorted(Comparator.comparing(i -> first + i, ascending(view).reversed()))
        .limit(named)
        .map(i -> text(view, first + i) + ":" + i + label(labels, i))
        .toList();
  }

  /* Offsets by what lies there: as exact as its type. */
  private static Comparator<Long> ascending(TensorView view) {
    if (view.element().isFloat()) {
      return Comparator.comparingDouble(view::realAt);
    }
    return view.element() == ElementType.U64
        ? Comparator.comparing(view::wholeAt, Long::compareUnsigned)
        : Comparator.comparingLong(view::wholeAt);
  }

  private static String label(List<String> labels, int index) {
    return index < labels.size() && !labels.get(index).isEmpty() ? ":" + labels.get(index) : "";
  }

  /* Six decimals, as Triton prints them. */
  private static String text(TensorView view, long offset) {
    if (view.element().isFloat()) {
      return String.format(Locale.ROOT, "%f", view.realAt(offset));
    }
    return view.element() == ElementType.U64
        ? Long.toUnsignedString(view.wholeAt(offset))
        : Long.toString(view.wholeAt(offset));
  }
}
