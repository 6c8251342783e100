package io.miniinference.ir;

import io.miniinference.layout.Affine;
import java.util.List;

/// A movement that only renames indices: on explicit memory it is a change of index function and
/// costs neither bytes nor a launch wherever the two compose.
public sealed interface ViewMap {

  /// Same elements in row-major order under `shape`.
  record Reshape(List<Affine> shape) implements ViewMap {
    public Reshape {
      shape = List.copyOf(shape);
    }
  }

  /// Result axis `i` is operand axis `permutation[i]`.
  record Transpose(List<Integer> permutation) implements ViewMap {
    public Transpose {
      permutation = List.copyOf(permutation);
    }
  }

  /// Per axis `extents[i]` indices from `starts[i]` in steps of `steps[i]` (not 0, may be
  /// negative), already clamped to the operand.
  record Slice(List<Affine> starts, List<Long> steps, List<Affine> extents) implements ViewMap {
    public Slice {
      starts = List.copyOf(starts);
      steps = List.copyOf(steps);
      extents = List.copyOf(extents);
    }
  }

  /// Repeats axes of extent 1, and new leading axes, up to `shape`.
  record Expand(List<Affine> shape) implements ViewMap {
    public Expand {
      shape = List.copyOf(shape);
    }
  }
}
