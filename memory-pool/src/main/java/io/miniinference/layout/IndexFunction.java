package io.miniinference.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A map from a logical index to an element offset inside a memory block: an offset, and per axis a
/// stride, with axes split into (outer, inner) where the layout is blocked (an LMAD over the split
/// axes; thesis §2.4, and DESIGN "Explicit memory").
///
/// Movement operators compose with it: [#transpose], [#slice], [#expand], [#reshape] and
/// [#insertAxis] return the index function through which the *same* memory is read as the
/// operator's result, or nothing where the two do not compose and a copy is due.
///
/// @param offset elements before logical index 0
/// @param axes one entry per logical axis, outermost first
public record IndexFunction(Affine offset, List<Axis> axes) {
  public IndexFunction {
    axes = List.copyOf(axes);
  }

  /// Row-major order, dense.
  public static IndexFunction rowMajor(List<Affine> shape) {
    Axis[] axes = new Axis[shape.size()];
    Affine stride = Affine.ONE;
    for (int i = axes.length - 1; i >= 0; i--) {
      axes[i] = Axis.plain(shape.get(i), stride);
      stride = stride.times(atLeastOne(shape.get(i)));
    }
    return new IndexFunction(Affine.ZERO, List.of(axes));
  }

  /// Dense order in which the axes are laid out as `order` lists them, outermost first.
  public static IndexFunction ordered(List<Affine> shape, List<Integer> order) {
    Axis[] axes = new Axis[shape.size()];
    Affine stride = Affine.ONE;
    for (int i = order.size() - 1; i >= 0; i--) {
      int axis = order.get(i);
      axes[axis] = Axis.plain(shape.get(axis), stride);
      stride = stride.times(atLeastOne(shape.get(axis)));
    }
    return new IndexFunction(Affine.ZERO, List.of(axes));
  }

  /// The blocked layout (NCHW16c and its kin): row-major over (…, blocks of `axis`, …), the `block`
  /// lanes of `axis` innermost.
  public static IndexFunction blocked(List<Affine> shape, int axis, int block) {
    Axis[] axes = new Axis[shape.size()];
    Affine stride = Affine.of(block);
    for (int i = axes.length - 1; i >= 0; i--) {
      if (i == axis) {
        axes[i] = new Axis(shape.get(i), Affine.ONE, block, stride);
        stride = stride.times(axes[i].blocks());
      } else {
        axes[i] = Axis.plain(shape.get(i), stride);
        stride = stride.times(atLeastOne(shape.get(i)));
      }
    }
    return new IndexFunction(Affine.ZERO, List.of(axes));
  }

  /* An axis of extent zero must not make the strides of the axes outside it zero: two different
  arrays would then have equal index functions. */
  private static Affine atLeastOne(Affine extent) {
    return extent.isZero() ? Affine.ONE : extent;
  }

  public int rank() {
    return axes.size();
  }

  public List<Affine> shape() {
    Affine[] extents = new Affine[axes.size()];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = axes.get(i).extent();
    }
    return List.of(extents);
  }

  /// Number of logical elements.
  public Affine elements() {
    Affine product = Affine.ONE;
    for (Axis axis : axes) {
      product = product.times(axis.extent());
    }
    return product;
  }

  /// The element offset of `index` at batch size `n`.
  public long at(long[] index, long n) {
    long at = offset.at(n);
    for (int i = 0; i < index.length; i++) {
      at += axes.get(i).at(index[i], n);
    }
    return at;
  }

  /// Elements from the start of the block to one past the largest offset that is reached at batch
  /// size `n`, padding lanes included; 0 if there is no element.
  public long spanElements(long n) {
    long last = offset.at(n);
    for (Axis axis : axes) {
      long extent = axis.extent().at(n);
      if (extent == 0) {
        return 0;
      }
      last += highest(axis, extent, n);
    }
    return last + 1;
  }

  private static long highest(Axis axis, long extent, long n) {
    if (!axis.isBlocked()) {
      return Math.max(0, (extent - 1) * axis.stride().at(n));
    }
    return (axis.blocks() - 1) * Math.max(0, axis.outerStride().at(n))
        + (axis.block() - 1) * Math.max(0, axis.stride().at(n));
  }

  /// Elements of a block that holds exactly this dense array, padding lanes included. Strides must
  /// be those of [#rowMajor], [#ordered] or [#blocked].
  public Affine denseElements() {
    Affine product = Affine.ONE;
    for (Axis axis : axes) {
      product =
          product.times(axis.isBlocked() ? Affine.of(axis.blocks() * axis.block()) : axis.extent());
    }
    return product;
  }

  public boolean isBlocked() {
    return axes.stream().anyMatch(Axis::isBlocked);
  }

  /// Whether logical row-major order is memory order without gaps from offset 0.
  public boolean isRowMajor() {
    return offset.isZero() && hasRowMajorStrides();
  }

  /// Whether logical row-major order is memory order without gaps, from any offset. Strides of axes
  /// of extent 1 do not matter.
  public boolean hasRowMajorStrides() {
    Affine stride = Affine.ONE;
    for (int i = axes.size() - 1; i >= 0; i--) {
      Axis axis = axes.get(i);
      if (isSingle(axis, Affine::isSingle)) {
        continue;
      }
      if (axis.isBlocked() || !axis.stride().equals(stride)) {
        return false;
      }
      stride = stride.times(atLeastOne(axis.extent()));
    }
    return true;
  }

  /// Whether every logical index lies at the same element in both, at every batch size. Strides of
  /// axes of extent 1 do not matter, unless they may be longer in another request.
  public boolean equivalent(IndexFunction other) {
    return isSame(other, Affine::isSingle);
  }

  /// Whether every logical index lies at the same element in both, at every batch size, for open
  /// sizes as they are now.
  public boolean coincides(IndexFunction other) {
    return isSame(other, Affine.ONE::equals);
  }

  private static boolean isSingle(Axis axis, Predicate<Affine> one) {
    return one.test(axis.extent()) && !axis.isBlocked();
  }

  private boolean isSame(IndexFunction other, Predicate<Affine> one) {
    if (!offset.equals(other.offset) || rank() != other.rank()) {
      return false;
    }
    for (int i = 0; i < rank(); i++) {
      Axis mine = axes.get(i);
      Axis theirs = other.axes.get(i);
      boolean areSingle = isSingle(mine, one) && isSingle(theirs, one);
      if (!areSingle && !mine.equals(theirs)) {
        return false;
      }
    }
    return true;
  }

  /// The same strides from the start of the memory.
  public IndexFunction fromStart() {
    return new IndexFunction(Affine.ZERO, axes);
  }

  /// The same `elements` further on.
  public IndexFunction shifted(Affine elements) {
    return new IndexFunction(offset.plus(elements), axes);
  }

  public IndexFunction transpose(List<Integer> permutation) {
    Axis[] turned = new Axis[permutation.size()];
    Arrays.setAll(turned, i -> axes.get(permutation.get(i)));
    return new IndexFunction(offset, List.of(turned));
  }

  /// Every `step`-th index of `axis` from `start` on, `extent` of them. A negative step walks
  /// backwards. A blocked axis composes only with step 1 and a start that is a multiple of its
  /// block; an extent that is no multiple of it is sound because padding lanes are never read.
  public Optional<IndexFunction> slice(int axis, Affine start, long step, Affine extent) {
    Axis a = axes.get(axis);
    if (!a.isBlocked()) {
      Axis sliced = Axis.plain(extent, a.stride().times(step));
      return Optional.of(with(axis, sliced, product(start, a.stride())));
    }
    if (step != 1 || !start.isConstant() || start.constant() % a.block() != 0) {
      return Optional.empty();
    }
    Axis sliced = new Axis(extent, a.stride(), a.block(), a.outerStride());
    return Optional.of(with(axis, sliced, a.outerStride().times(start.constant() / a.block())));
  }

  private static Affine product(Affine start, Affine stride) {
    return start.isZero() ? Affine.ZERO : stride.times(start);
  }

  private IndexFunction with(int axis, Axis replacement, Affine added) {
    List<Axis> changed = new ArrayList<>(axes);
    changed.set(axis, replacement);
    return new IndexFunction(offset.plus(added), changed);
  }

  /// Repeats an axis of extent 1 `extent` times without memory.
  public IndexFunction expand(int axis, Affine extent) {
    return with(axis, Axis.plain(extent, Affine.ZERO), Affine.ZERO);
  }

  public IndexFunction insertAxis(int axis) {
    List<Axis> changed = new ArrayList<>(axes);
    changed.add(axis, Axis.plain(Affine.ONE, Affine.ONE));
    return new IndexFunction(offset, changed);
  }

  /// The same elements in the same row-major order under another shape, if that is an index
  /// function again.
  public Optional<IndexFunction> reshape(List<Affine> shape) {
    return Reshape.of(this, shape);
  }

  /// `offset + {extent:stride, …}`, a blocked axis as `extent:stride/block:outerStride`.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(offset).append("+{");
    for (int i = 0; i < axes.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(axes.get(i));
    }
    return text.append('}').toString();
  }
}
