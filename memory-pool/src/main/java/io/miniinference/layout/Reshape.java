package io.miniinference.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The reshape of an index function: old and new axes are matched in groups of equal element count;
/// a group composes if its old axes are dense among themselves. A blocked axis composes only if it
/// is kept as it is.
final class Reshape {
  private final List<Axis> from;
  private final List<Affine> to;

  /// Extents of which no axis is matched.
  private final Predicate<Affine> isLeftOut;

  private final List<Axis> result = new ArrayList<>();
  private int i;
  private int j;

  private Reshape(List<Axis> from, List<Affine> to, Predicate<Affine> isLeftOut) {
    this.from = from;
    this.to = to;
    this.isLeftOut = isLeftOut;
  }

  static Optional<IndexFunction> of(IndexFunction source, List<Affine> shape) {
    if (source.shape().equals(shape)) {
      return Optional.of(source);
    }
    if (source.axes().stream().anyMatch(a -> a.extent().isZero())) {
      return Optional.of(new IndexFunction(source.offset(), IndexFunction.rowMajor(shape).axes()));
    }
    return of(source, shape, Affine::isSingle)
        .or(() -> of(source, shape, extent -> extent.equals(Affine.ONE)));
  }

  /* An axis of open extent that is 1 now has its stride, as it has in other requests, if that
  composes. */
  private static Optional<IndexFunction> of(
      IndexFunction source, List<Affine> shape, Predicate<Affine> isLeftOut) {
    List<Axis> significant =
        source.axes().stream().filter(a -> !isLeftOut.test(a.extent())).toList();
    Reshape reshape = new Reshape(significant, shape, isLeftOut);
    return reshape.run()
        ? Optional.of(new IndexFunction(source.offset(), reshape.result))
        : Optional.empty();
  }

  private boolean run() {
    while (i < from.size() || j < to.size()) {
      if (j < to.size() && isLeftOut.test(to.get(j))) {
        result.add(Axis.plain(Affine.ONE, Affine.ONE));
        j++;
      } else if (i == from.size() || j == to.size() || !group()) {
        return false;
      }
    }
    return true;
  }

  /* Grows the two sides, the smaller one first, until their element counts agree. */
  private boolean group() {
    int firstOld = i;
    int firstNew = j;
    Affine old = from.get(i++).extent();
    Affine now = to.get(j++);
    while (!old.equals(now)) {
      boolean growNew = smaller(now, old);
      if (growNew ? j == to.size() : i == from.size()) {
        return false;
      }
      if (growNew) {
        now = timesOrNull(now, to.get(j++));
      } else {
        old = timesOrNull(old, from.get(i++).extent());
      }
      if (now.perBatch() < 0 || old.perBatch() < 0) {
        return false;
      }
    }
    return emit(from.subList(firstOld, i), to.subList(firstNew, j));
  }

  /* A pure number is smaller than any multiple of N: only growing it can make the two agree. */
  private static boolean smaller(Affine a, Affine b) {
    if (a.isConstant() != b.isConstant()) {
      return a.isConstant();
    }
    return a.constant() + a.perBatch() < b.constant() + b.perBatch();
  }

  private static final Affine NO_SIZE = Affine.batch(-1);

  private static Affine timesOrNull(Affine a, Affine b) {
    return !a.isConstant() && !b.isConstant() ? NO_SIZE : a.times(b);
  }

  private boolean emit(List<Axis> old, List<Affine> now) {
    if (old.size() == 1 && now.size() == 1) {
      return result.add(old.getFirst());
    }
    if (!dense(old)) {
      return false;
    }
    int at = result.size();
    Affine stride = old.getLast().stride();
    for (int k = now.size() - 1; k >= 0; k--) {
      result.add(at, Axis.plain(now.get(k), stride));
      stride = stride.times(now.get(k));
    }
    return true;
  }

  private static boolean dense(List<Axis> group) {
    for (int k = 0; k < group.size(); k++) {
      Axis axis = group.get(k);
      if (axis.isBlocked()) {
        return false;
      }
      if (k + 1 < group.size()) {
        Axis inner = group.get(k + 1);
        if (!axis.stride().equals(timesOrNull(inner.stride(), inner.extent()))) {
          return false;
        }
      }
    }
    return true;
  }
}
