package io.miniinference.codegen.jvm;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A weight with two neighbouring axes in the other order, so that what a tile of the result reads
/// together lies together.
///
/// @param axis the first of them
record JvmPacking(int axis) implements Packing {

  /// The packing of an input that is a constant.
  static Optional<JvmPacking> of(Node node, int input) {
    if (input != 1 || node.inputs().get(1).type().element() != ElementType.F32) {
      return Optional.empty();
    }
    return switch (node.op()) {
      case Op.MatMul m when m.transposeB() ->
          Optional.of(new JvmPacking(node.inputs().get(1).type().rank() - 2));
      case Op.Recurrent _ -> Optional.of(new JvmPacking(0));
      case Op.ConvTranspose _ -> Optional.of(new JvmPacking(0));
      default -> Optional.empty();
    };
  }

  /// Where the elements of a packed weight lie.
  IndexFunction index(List<Affine> shape) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, shape.size()).boxed().toList());
    Collections.swap(order, axis, axis + 1);
    return IndexFunction.ordered(shape, order);
  }

  @Override
  public long bytes(Tensor weight) {
    return weight.data().byteSize();
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long[] shape = weight.shape();
    long outer = product(shape, 0, axis);
    long rows = shape[axis];
    long columns = shape[axis + 1];
    long each = product(shape, axis + 2, shape.length) * weight.element().bytes();
    for (long o = 0; o < outer; o++) {
      long matrix = o * rows * columns;
      for (long r = 0; r < rows; r++) {
        for (long c = 0; c < columns; c++) {
          long from = (matrix + r * columns + c) * each;
          long to = (matrix + c * rows + r) * each;
          MemorySegment.copy(weight.data(), from, target, to, each);
        }
      }
    }
  }

  private static long product(long[] shape, int from, int to) {
    long product = 1;
    for (int i = from; i < to; i++) {
      product *= shape[i];
    }
    return product;
  }
}
