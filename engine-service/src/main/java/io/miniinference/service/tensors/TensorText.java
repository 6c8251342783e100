package io.miniinference.service.tensors;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.Quote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A tensor as people read it: all elements of a short one, the first and last of a long one with
/// its least, largest and mean.
public final class TensorText {
  private static final int MOST = 24;
  private static final int FIRST = 8;
  private static final int LAST = 4;

  private final TensorView view;
  private final long count;

  private TensorText(Tensor tensor) {
    view = TensorView.of(tensor);
    count = tensor.elements();
  }

  /// In one line.
  public static String of(Tensor tensor) {
    return tensor.isOfStrings() ? strings(tensor) : new TensorText(tensor).line();
  }

  private static String strings(Tensor tensor) {
    String shown =
        Arrays.stream(tensor.strings())
            .limit(MOST)
            .map(Quote::of)
            .collect(Collectors.joining(", "));
    long more = tensor.elements() - MOST;
    return more <= 0 ? "[" + shown + "]" : "[%s, … %,d more]".formatted(shown, more);
  }

  /// An element: a number that reads as itself, or a truth.
  static String element(TensorView view, long position) {
    return switch (view.element()) {
      case F64 -> Double.toString(view.realAt(position));
      case F32, F16, BF16 -> Float.toString((float) view.realAt(position));
      case BOOL -> Boolean.toString(view.wholeAt(position) != 0);
      case U64 -> Long.toUnsignedString(view.wholeAt(position));
      case I8, I16, I32, I64, U8, U16, U32 -> Long.toString(view.wholeAt(position));
    };
  }

  private String line() {
    if (count <= MOST) {
      return "[" + elements(0, count) + "]";
    }
    String few =
        "[%s, … %,d more …, %s]"
            .formatted(elements(0, FIRST), count - FIRST - LAST, elements(count - LAST, count));
    return view.element() == ElementType.BOOL ? few : few + "  " + summary();
  }

  private String elements(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(i -> element(view, i))
        .collect(Collectors.joining(", "));
  }

  private String summary() {
    long least = 0;
    long largest = 0;
    double sum = 0;
    for (long i = 0; i < count; i++) {
      sum += view.realAt(i);
      least = view.realAt(i) < view.realAt(least) ? i : least;
      largest = view.realAt(i) > view.realAt(largest) ? i : largest;
    }
    return String.format(
        Locale.ROOT,
        "least %s, largest %s, mean %.6g",
        element(view, least),
        element(view, largest),
        sum / count);
  }

  /// All elements as a JSON writer takes them: numbers, truths, and text where a float is none.
  public static List<Object> values(Tensor tensor) {
    if (tensor.isOfStrings()) {
      return List.of((Object[]) tensor.strings());
    }
    TensorView view = TensorView.of(tensor);
    List<Object> values = new ArrayList<>();
    for (long i = 0; i < tensor.elements(); i++) {
      values.add(value(view, i));
    }
    return values;
  }

  private static Object value(TensorView view, long i) {
    if (view.element() == ElementType.BOOL) {
      return view.wholeAt(i) != 0;
    }
    if (!view.element().isFloat()) {
      return view.wholeAt(i);
    }
    double real = view.realAt(i);
    if (!Double.isFinite(real)) {
      return Double.toString(real);
    }
    return view.element() == ElementType.F64 ? (Object) real : (Object) (float) real;
  }
}
