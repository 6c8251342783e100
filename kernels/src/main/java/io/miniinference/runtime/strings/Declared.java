package io.miniinference.runtime.strings;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The shape of a value on the host, as far as a file tells it.
///
/// @param dims empty if not even their number is known
record Declared(Optional<List<Dimension>> dims) {

  static Declared unknown() {
    return new Declared(Optional.empty());
  }

  static Declared of(List<Long> sizes) {
    return new Declared(Optional.of(sizes.stream().map(Declared::size).toList()));
  }

  static Dimension size(long size) {
    return Dimension.newBuilder().setDimValue(size).build();
  }

  /// That of an input. A dimension without a name has that of its place, as in an import.
  static Declared of(String input, TypeProto.Tensor type) {
    if (!type.hasShape()) {
      return unknown();
    }
    List<Dimension> dims = new ArrayList<>();
    for (Dimension dim : type.getShape().getDimList()) {
      boolean isKnown =
          !dim.getDimParam().isEmpty() || (dim.hasDimValue() && dim.getDimValue() >= 0);
      dims.add(isKnown ? dim : symbol(input, dims.size()));
    }
    return new Declared(Optional.of(dims));
  }

  static Dimension symbol(String value, int axis) {
    return Dimension.newBuilder().setDimParam(value + "[" + axis + "]").build();
  }

  /// Numpy's broadcast, in which a size that is not known may be any.
  Declared broadcast(Declared other, String result) {
    if (dims.isEmpty() || other.dims.isEmpty()) {
      return unknown();
    }
    List<Dimension> a = dims.get();
    List<Dimension> b = other.dims.get();
    List<Dimension> all = new ArrayList<>();
    int rank = Math.max(a.size(), b.size());
    for (int axis = 0; axis < rank; axis++) {
      Optional<Dimension> left = at(a, axis - rank + a.size());
      Optional<Dimension> right = at(b, axis - rank + b.size());
      all.add(
          left.isEmpty() || left.equals(right) || isOne(left.get())
              ? right.or(() -> left).orElseThrow()
              : right.isEmpty() || isOne(right.get()) ? left.get() : symbol(result, axis));
    }
    return new Declared(Optional.of(all));
  }

  private static Optional<Dimension> at(List<Dimension> dims, int axis) {
    return axis < 0 ? Optional.empty() : Optional.of(dims.get(axis));
  }

  static boolean isOne(Dimension dim) {
    return dim.hasDimValue() && dim.getDimValue() == 1;
  }

  /// The same with a further axis, of a length that the strings tell.
  Declared withParts(String result) {
    return new Declared(
        dims.map(own -> {
          List<Dimension> all = new ArrayList<>(own);
          all.add(symbol(result, own.size()));
          return all;
        }));
  }

  /// The same with a last axis of a length that the strings tell.
  Declared withOpenEnd(String result) {
    return new Declared(
        dims.filter(own -> !own.isEmpty())
            .map(own -> {
              List<Dimension> all = new ArrayList<>(own);
              all.set(own.size() - 1, symbol(result, own.size() - 1));
              return all;
            }));
  }

  TypeProto type(DataType element) {
    var tensor = TypeProto.Tensor.newBuilder().setElemType(element.getNumber());
    dims.ifPresent(own -> tensor.setShape(TensorShapeProto.newBuilder().addAllDim(own)));
    return TypeProto.newBuilder().setTensorType(tensor).build();
  }
}
