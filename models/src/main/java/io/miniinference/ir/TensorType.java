package io.miniinference.ir;

import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Element type and shape of a tensor. Each dimension is a constant or a multiple of the batch
/// symbol `N`.
public record TensorType(ElementType element, List<Affine> shape) {
  public TensorType {
    shape = List.copyOf(shape);
    for (Affine dim : shape) {
      if (!dim.isDimension() || dim.constant() < 0 || dim.perBatch() < 0) {
        throw new IllegalArgumentException(dim + " is no tensor dimension");
      }
    }
  }

  public static TensorType of(ElementType element, long... shape) {
    return new TensorType(element, LongStream.of(shape).mapToObj(Affine::of).toList());
  }

  public int rank() {
    return shape.size();
  }

  public Affine dim(int axis) {
    return shape.get(axis);
  }

  /// Number of elements.
  public Affine elements() {
    Affine product = Affine.ONE;
    for (Affine dim : shape) {
      product = product.times(dim);
    }
    return product;
  }

  public boolean isStatic() {
    for (Affine dim : shape) {
      if (!dim.isConstant()) {
        return false;
      }
    }
    return true;
  }

  /// The shape at batch size `n`.
  public long[] shapeAt(long n) {
    long[] extents = new long[shape.size()];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = shape.get(i).at(n);
    }
    return extents;
  }

  public TensorType withShape(List<Affine> other) {
    return new TensorType(element, other);
  }

  /// `f32[N,1,28,28]`.
  @Override
  public String toString() {
    return element
        + shape.stream().map(Affine::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
