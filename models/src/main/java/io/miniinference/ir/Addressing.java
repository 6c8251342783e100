package io.miniinference.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Where the elements that a Gather or Scatter moves have their index tuple and their place in the
/// data: the one form of all [Selection]s.
///
/// The *moved* array is the result of a Gather, or the updates of a Scatter. Its axes `firstAxis`
/// to `firstAxis + tupleAxes − 1` are, in order, the axes of the index operand that tell tuples
/// apart.
///
/// @param firstAxis first axis of the moved array that is an axis of the index operand
/// @param tupleAxes how many there are
/// @param tupleLength components of a tuple
/// @param alongAxis whether the components lie along one more axis of the index operand, its last;
///   if not, `tupleLength` is 1
/// @param sources per axis of the data where the coordinate on it comes from
public record Addressing(
    int firstAxis, int tupleAxes, int tupleLength, boolean alongAxis, List<Source> sources) {
  public Addressing {
    sources = List.copyOf(sources);
  }

  /// Where a coordinate in the data comes from.
  public sealed interface Source {
    /// The coordinate on an axis of the moved array.
    record Moved(int axis) implements Source {}

    /// A component of the index tuple.
    record Component(int number) implements Source {}
  }

  /// The addressing of operands that [io.miniinference.ir.type.OpType] accepts.
  public static Addressing of(Selection selection, TensorType data, TensorType indices) {
    return switch (selection) {
      case Selection.Slices(int axis) ->
          new Addressing(axis, indices.rank(), 1, false, slices(data.rank(), axis, indices.rank()));
      case Selection.Elements(int axis) ->
          new Addressing(0, indices.rank(), 1, false, elements(data.rank(), axis));
      case Selection.Tuples(int batchDims) -> {
        int tupleAxes = indices.rank() - 1;
        int length = Math.toIntExact(indices.dim(tupleAxes).asConstant());
        List<Source> sources = tuples(data.rank(), batchDims, length, tupleAxes);
        yield new Addressing(0, tupleAxes, length, true, sources);
      }
    };
  }

  private static List<Source> slices(int rank, int axis, int indexRank) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      sources.add(
          i == axis ? new Source.Component(0) : new Source.Moved(i < axis ? i : i + indexRank - 1));
    }
    return sources;
  }

  private static List<Source> elements(int rank, int axis) {
    return IntStream.range(0, rank)
        .<Source>mapToObj(i -> i == axis ? new Source.Component(0) : new Source.Moved(i))
        .toList();
  }

  private static List<Source> tuples(int rank, int batchDims, int length, int tupleAxes) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      int component = i - batchDims;
      if (i < batchDims) {
        sources.add(new Source.Moved(i));
      } else if (component < length) {
        sources.add(new Source.Component(component));
      } else {
        sources.add(new Source.Moved(tupleAxes + component - length));
      }
    }
    return sources;
  }

  /// The axis of the data on which a component is a place.
  public int dataAxis(int component) {
    return sources.indexOf(new Source.Component(component));
  }

  /// The axis of the moved array whose coordinate is also that on `dataAxis`; −1 if that is a
  /// component's.
  public int movedAxis(int dataAxis) {
    return sources.get(dataAxis) instanceof Source.Moved(int axis) ? axis : -1;
  }

  /// Whether a moved element's coordinate on `axis` is also one of its place in the data, so that
  /// elements that differ there are never at the same place.
  public boolean isKept(int axis) {
    return sources.contains(new Source.Moved(axis));
  }

  /// Whether elements that differ on `axis` of the moved array alone have the same index tuple.
  public boolean sharesTuple(int axis) {
    return axis < firstAxis || axis >= firstAxis + tupleAxes;
  }
}
