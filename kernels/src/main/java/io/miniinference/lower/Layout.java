package io.miniinference.lower;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;

/// The order of a dense array in memory, as a target asks for it.
public sealed interface Layout {
  Layout ROW_MAJOR = new RowMajor();

  /// The dense index function of an array of this shape.
  IndexFunction of(List<Affine> shape);

  /// Whether an array of this index function already is in this layout.
  default boolean fits(IndexFunction index) {
    return index.equivalent(of(index.shape()));
  }

  /// Logical order.
  record RowMajor() implements Layout {
    @Override
    public IndexFunction of(List<Affine> shape) {
      return IndexFunction.rowMajor(shape);
    }

    @Override
    public boolean fits(IndexFunction index) {
      return index.hasRowMajorStrides();
    }

    @Override
    public String toString() {
      return "row-major";
    }
  }

  /// `block` lanes of `axis` innermost (NCHW16c and its kin).
  record Blocked(int axis, int block) implements Layout {
    @Override
    public IndexFunction of(List<Affine> shape) {
      return IndexFunction.blocked(shape, axis, block);
    }

    @Override
    public String toString() {
      return "blocked " + block + " on axis " + axis;
    }
  }

  /// Channels (axis 1) innermost: NHWC.
  record ChannelsLast() implements Layout {
    @Override
    public IndexFunction of(List<Affine> shape) {
      List<Integer> order = new java.util.ArrayList<>();
      for (int i = 0; i < shape.size(); i++) {
        if (i != 1) {
          order.add(i);
        }
      }
      order.add(1);
      return IndexFunction.ordered(shape, order);
    }

    @Override
    public String toString() {
      return "channels last";
    }
  }

  /// Axes one inside the other.
  ///
  /// @param axes outermost first
  record Ordered(List<Integer> axes) implements Layout {
    public Ordered {
      axes = List.copyOf(axes);
    }

    @Override
    public IndexFunction of(List<Affine> shape) {
      return IndexFunction.ordered(shape, axes);
    }

    @Override
    public String toString() {
      return "axes " + axes.toString().replace(" ", "");
    }
  }
}
