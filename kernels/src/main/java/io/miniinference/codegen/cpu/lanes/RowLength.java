package io.miniinference.codegen.cpu.lanes;

import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// How many elements a row has that is gone over in vectors of sixteen.
///
/// Quotient and remainder of an open length are computed by the kernel: one that several lengths
/// have would be taken for one that all have.
public record RowLength(Affine elements) {
  private static final int LANES = VectorText.LANES;

  /// Of a row that is some last axes of a shape.
  public static RowLength of(List<Affine> shape, int axes) {
    return new RowLength(
        shape.stream().skip(shape.size() - axes).reduce(Affine.ONE, Affine::times));
  }

  /// Whether some axes are the last ones of so many, in whatever order.
  public static boolean areLast(List<Integer> axes, int rank) {
    List<Integer> last = IntStream.range(rank - axes.size(), rank).boxed().toList();
    return !axes.isEmpty() && axes.stream().sorted().toList().equals(last);
  }

  /// The number of this request.
  public long columns() {
    return elements.constant();
  }

  /// Text of how many whole vectors it has.
  public String vectors() {
    return elements.isOpen() ? "(" + columns() + " / 16)" : Long.toString(columns() / LANES);
  }

  /// Whether it may have whole vectors.
  public boolean hasWhole() {
    return elements.isOpen() || columns() >= LANES;
  }

  /// Text of how many elements are behind the whole vectors.
  public String left() {
    if (!hasRest()) {
      return "0";
    }
    return elements.isOpen() ? "(" + columns() + " % 16)" : Long.toString(columns() % LANES);
  }

  /// Whether there may be any.
  public boolean hasRest() {
    return !elements.isAlwaysMultipleOf(LANES);
  }
}
