package io.miniinference.ir.type;

import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Shape arithmetic with the batch symbol.
public final class Shapes {
  private Shapes() {}

  /// Numpy's broadcast of two shapes, or empty if they do not fit. A dimension of 1 is repeated;
  /// `N` and a constant other than 1 never fit, whatever `N` may be.
  public static Optional<List<Affine>> broadcast(List<Affine> left, List<Affine> right) {
    int rank = Math.max(left.size(), right.size());
    List<Affine> result = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      Affine l = aligned(left, axis - (rank - left.size()));
      Affine r = aligned(right, axis - (rank - right.size()));
      if (!l.equals(r) && !l.equals(Affine.ONE) && !r.equals(Affine.ONE)) {
        return Optional.empty();
      }
      result.add(l.equals(Affine.ONE) ? r : l);
    }
    return Optional.of(result);
  }

  /// Whether broadcasting `shape` to `target` gives `target`.
  public static boolean broadcastsTo(List<Affine> shape, List<Affine> target) {
    return broadcast(shape, target).filter(target::equals).isPresent();
  }

  /// Whether two shapes have equally many elements at every batch size.
  ///
  /// @throws ArithmeticException if a count overflows
  public static boolean sameElements(List<Affine> left, List<Affine> right) {
    return Count.of(left).equals(Count.of(right));
  }

  /// Whether two shapes are the same at some size of the batch.
  public static boolean equalAtSomeBatch(List<Affine> left, List<Affine> right) {
    if (left.size() != right.size()) {
      return false;
    }
    Set<Long> sizes = new HashSet<>();
    for (int axis = 0; axis < left.size(); axis++) {
      Affine difference = left.get(axis).minus(right.get(axis));
      if (difference.isConstant() ? !difference.isZero() : !vanishes(difference)) {
        return false;
      } else if (!difference.isConstant()) {
        sizes.add(-difference.constant() / difference.perBatch());
      }
    }
    return sizes.size() <= 1;
  }

  private static boolean vanishes(Affine difference) {
    return difference.constant() % difference.perBatch() == 0
        && -difference.constant() / difference.perBatch() >= 0;
  }

  private static Affine aligned(List<Affine> shape, int axis) {
    return axis < 0 ? Affine.ONE : shape.get(axis);
  }

  /* A product of dimensions: factor · N^power. */
  private record Count(long factor, int power) {
    static Count of(List<Affine> shape) {
      if (shape.stream().anyMatch(Affine::isZero)) {
        return new Count(0, 0);
      }
      long factor = 1;
      int power = 0;
      for (Affine dim : shape) {
        factor = Math.multiplyExact(factor, dim.constant() + dim.perBatch());
        power += dim.isConstant() ? 0 : 1;
      }
      return new Count(factor, power);
    }
  }
}
