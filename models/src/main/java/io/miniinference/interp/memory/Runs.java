package io.miniinference.interp.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Several views walked together over one shape, with neighbouring axes merged wherever they are
/// dense in all of them: what remains innermost is a run of equal steps.
public final class Runs {
  private final long[] extents;
  private final long[][] steps;
  private final long[] bases;
  private final long[] index;

  /// Offset of each view at the current index.
  public final long[] offsets;

  private Runs(long[] extents, long[][] steps, long[] bases) {
    this.extents = extents;
    this.steps = steps;
    this.bases = bases;
    this.index = new long[extents.length];
    this.offsets = bases.clone();
  }

  /// The walk over operands, each broadcast to the output's shape, and the output as the last view.
  ///
  /// @param reads whether an operand takes part
  /// @return nothing if a view has a blocked axis
  public static Optional<Runs> of(
      List<TensorView> operands, IntPredicate reads, TensorView output) {
    long[] shape = output.shape();
    List<@Nullable Strides> views = new ArrayList<>();
    for (int k = 0; k < operands.size(); k++) {
      views.add(reads.test(k) ? operands.get(k).strides().broadcast(shape) : null);
    }
    views.add(output.strides());
    return of(shape, views);
  }

  /// The walk over some views.
  ///
  /// @param views broadcast to `shape`; null for one that takes no part
  /// @return nothing if a view has a blocked axis
  public static Optional<Runs> of(long[] shape, List<? extends @Nullable Strides> views) {
    int count = views.size();
    long[] bases = new long[count];
    long[][] steps = new long[count][shape.length];
    for (int v = 0; v < count; v++) {
      Strides s = views.get(v);
      if (s == null) {
        continue;
      }
      for (int axis = 0; axis < shape.length; axis++) {
        if (s.isBlocked(axis)) {
          return Optional.empty();
        }
      }
      bases[v] = s.base();
      steps[v] = s.steps();
    }
    boolean[] takesPart = new boolean[count];
    for (int v = 0; v < count; v++) {
      takesPart[v] = views.get(v) != null;
    }
    return Optional.of(merged(shape, steps, bases, takesPart));
  }

  private static Runs merged(long[] shape, long[][] steps, long[] bases, boolean[] takesPart) {
    int rank = shape.length;
    long[] extents = new long[Math.max(1, rank)];
    long[][] merged = new long[steps.length][extents.length];
    int used = 0;
    for (int axis = rank - 1; axis >= 0; axis--) {
      if (shape[axis] == 1) {
        continue;
      }
      if (used > 0 && joins(axis, shape, extents[used - 1], steps, merged, used - 1, takesPart)) {
        extents[used - 1] *= shape[axis];
        continue;
      }
      extents[used] = shape[axis];
      for (int v = 0; v < steps.length; v++) {
        merged[v][used] = takesPart[v] ? steps[v][axis] : 0;
      }
      used++;
    }
    if (used == 0) {
      extents[0] = 1;
      used = 1;
    }
    int axes = used;
    for (int v = 0; v < merged.length; v++) {
      merged[v] = Arrays.copyOf(merged[v], axes);
    }
    return new Runs(Arrays.copyOf(extents, axes), merged, bases);
  }

  private static boolean joins(
      int axis,
      long[] shape,
      long inner,
      long[][] steps,
      long[][] merged,
      int into,
      boolean[] takesPart) {
    for (int v = 0; v < steps.length; v++) {
      if (takesPart[v] && steps[v][axis] != merged[v][into] * inner) {
        return false;
      }
    }
    return shape[axis] > 0;
  }

  /// Elements between neighbours of the innermost run in view `v`.
  public long step(int v) {
    return steps[v][0];
  }

  /// To a position in row-major order of the whole shape.
  ///
  /// @return how many elements are left of the run there
  public long moveTo(long position) {
    long rest = position;
    System.arraycopy(bases, 0, offsets, 0, bases.length);
    for (int axis = 0; axis < extents.length; axis++) {
      index[axis] = rest % extents[axis];
      rest /= extents[axis];
      for (int v = 0; v < offsets.length; v++) {
        offsets[v] += index[axis] * steps[v][axis];
      }
    }
    return extents[0] - index[0];
  }
}
