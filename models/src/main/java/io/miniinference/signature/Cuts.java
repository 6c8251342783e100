package io.miniinference.signature;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Which outputs of a graph are cut when they are read: they are planned at their largest, and only
/// the device can tell how much of them there is.
///
/// @param outputs how many of the graph's are the model's; those behind them are counts, `I64[]`
public record Cuts(int outputs, List<Cut> cuts) {
  public Cuts {
    cuts = List.copyOf(cuts);
  }

  /// An output that is cut.
  ///
  /// @param output its number
  /// @param count number of the output that says how long the axis is
  public record Cut(int output, int axis, int count) {
    private static final ValueLayout.OfLong COUNT =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// What is left of an output. The count of a run that failed may be anything.
    public Tensor of(Tensor whole, Tensor counted) {
      long[] shape = whole.shape().clone();
      long most = shape[axis];
      shape[axis] = Math.clamp(counted.data().get(COUNT, 0), 0, most);
      long ahead = Arrays.stream(shape, 0, axis).reduce(1, Math::multiplyExact);
      if (most == 0 || ahead <= 1) {
        long bytes = most == 0 ? 0 : whole.data().byteSize() / most * shape[axis];
        return new Tensor(whole.element(), shape, whole.data().asSlice(0, bytes));
      }
      return new Tensor(whole.element(), shape, joined(whole.data(), ahead, most, shape[axis]));
    }

    /* The first places of each row, one row after the other. */
    private static MemorySegment joined(MemorySegment all, long rows, long most, long left) {
      long row = all.byteSize() / rows;
      long bytes = row / most * left;
      MemorySegment joined = Arena.ofAuto().allocate(rows * bytes, Long.BYTES);
      for (long i = 0; i < rows; i++) {
        MemorySegment.copy(all, i * row, joined, i * bytes, bytes);
      }
      return joined.asReadOnly();
    }
  }

  /// Of a graph whose outputs are those of its model.
  public static Cuts none(Graph graph) {
    return new Cuts(graph.outputs().size(), List.of());
  }

  /// How an output is cut, if it is.
  public Optional<Cut> of(int output) {
    return cuts.stream().filter(cut -> cut.output() == output).findFirst();
  }

  /// The model's outputs.
  ///
  /// @param graph to which this belongs
  public List<TensorSpec> specs(Graph graph) {
    return IntStream.range(0, outputs).mapToObj(i -> spec(graph.outputs().get(i), i)).toList();
  }

  /// What is left of a graph's outputs: those of the model, each as long as its count says.
  public List<Tensor> cut(List<Tensor> all) {
    return IntStream.range(0, outputs)
        .mapToObj(
            i -> of(i).map(cut -> cut.of(all.get(i), all.get(cut.count()))).orElse(all.get(i)))
        .toList();
  }

  private TensorSpec spec(Value value, int output) {
    TensorSpec whole = TensorSpec.of(value);
    List<Dimension> dims = new ArrayList<>(whole.dims());
    of(output)
        .map(Cut::axis)
        .ifPresent(
            axis -> dims.set(axis, new Dimension.Open("%s[%d]".formatted(whole.name(), axis))));
    return whole.withDims(dims);
  }
}
