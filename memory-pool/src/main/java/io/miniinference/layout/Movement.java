package io.miniinference.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// How a view picks its elements from its source, in logical indices: it only renames indices.
/// Where it composes with the source's index function, a view costs neither bytes nor a launch.
public sealed interface Movement {

  /// The index function of the view of an array that lies at `source`, or nothing where the two do
  /// not compose: no index function, or a size that is not linear in the batch.
  default Optional<IndexFunction> of(IndexFunction source) {
    try {
      return compose(source);
    } catch (ArithmeticException notLinear) {
      return Optional.empty();
    }
  }

  /// [#of] where sizes that are not linear in the batch throw.
  Optional<IndexFunction> compose(IndexFunction source);

  /// A contiguous part along one axis.
  static Slice part(List<Affine> shape, int axis, Affine start, Affine extent) {
    List<Affine> starts = new ArrayList<>(Collections.nCopies(shape.size(), Affine.ZERO));
    List<Affine> extents = new ArrayList<>(shape);
    starts.set(axis, start);
    extents.set(axis, extent);
    return new Slice(starts, Collections.nCopies(shape.size(), 1L), extents);
  }

  /// Same elements in row-major order under `shape`.
  record Reshape(List<Affine> shape) implements Movement {
    public Reshape {
      shape = List.copyOf(shape);
    }

    @Override
    public Optional<IndexFunction> compose(IndexFunction source) {
      return source.reshape(shape);
    }
  }

  /// View axis `i` is source axis `permutation[i]`.
  record Transpose(List<Integer> permutation) implements Movement {
    public Transpose {
      permutation = List.copyOf(permutation);
    }

    @Override
    public Optional<IndexFunction> compose(IndexFunction source) {
      return Optional.of(source.transpose(permutation));
    }

    /// By axis of the view what `bySourceAxis` has for the axes of its source.
    public <T> List<T> axes(List<T> bySourceAxis) {
      List<T> moved = new ArrayList<>(permutation.size());
      for (int axis : permutation) {
        moved.add(bySourceAxis.get(axis));
      }
      return List.copyOf(moved);
    }

    /// The transposition that undoes this one.
    public Transpose inverse() {
      Integer[] back = new Integer[permutation.size()];
      for (int i = 0; i < back.length; i++) {
        back[permutation.get(i)] = i;
      }
      return new Transpose(List.of(back));
    }
  }

  /// Per axis `extents[i]` indices from `starts[i]` in steps of `steps[i]` (not 0, may be
  /// negative), all of them inside the source.
  record Slice(List<Affine> starts, List<Long> steps, List<Affine> extents) implements Movement {
    public Slice {
      starts = List.copyOf(starts);
      steps = List.copyOf(steps);
      extents = List.copyOf(extents);
    }

    @Override
    public Optional<IndexFunction> compose(IndexFunction source) {
      Optional<IndexFunction> result = Optional.of(source);
      for (int i = 0; i < extents.size(); i++) {
        int axis = i;
        if (!isWhole(source, axis)) {
          result =
              result.flatMap(
                  f -> f.slice(axis, starts.get(axis), steps.get(axis), extents.get(axis)));
        }
      }
      return result;
    }

    private boolean isWhole(IndexFunction source, int axis) {
      return starts.get(axis).isZero()
          && steps.get(axis) == 1
          && extents.get(axis).equals(source.axes().get(axis).extent())
          && extents.get(axis).isOpen() == source.axes().get(axis).extent().isOpen();
    }
  }

  /// Repeats axes of extent 1, and new leading axes, up to `shape`.
  record Expand(List<Affine> shape) implements Movement {
    public Expand {
      shape = List.copyOf(shape);
    }

    @Override
    public Optional<IndexFunction> compose(IndexFunction source) {
      IndexFunction result = source;
      while (result.rank() < shape.size()) {
        result = result.insertAxis(0);
      }
      for (int i = 0; i < shape.size(); i++) {
        if (!result.axes().get(i).extent().equals(shape.get(i))) {
          result = result.expand(i, shape.get(i));
        }
      }
      return Optional.of(result);
    }
  }
}
