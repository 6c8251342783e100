package io.miniinference.codegen.jvm;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A weight in `F32` with an axis behind others, so that what a tile of the result reads together
/// lies together.
///
/// @param axis the one that moves
/// @param over how many of the axes after it come before it
record JvmPacking(int axis, int over) implements Packing {
  private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

  /* Channels of a convolution that are worth a vector's lanes. */
  private static final long SOME_CHANNELS = 16;

  /* Channels that fill the widest tile. */
  private static final long MANY_CHANNELS = 64;

  /* From so many pixels on, neighbouring ones fill lanes as well. */
  private static final long SOME_PIXELS = 28 * 28;
  private static final long MANY_PIXELS = 32 * 32;

  /// The packing of an input that is a constant.
  static Optional<JvmPacking> of(Node node, int input) {
    if (input != 1 || node.inputs().get(1).type().element() != ElementType.F32) {
      return Optional.empty();
    }
    int rank = node.inputs().get(1).type().rank();
    return switch (node.op()) {
      case Op.MatMul m when m.transposeB() -> Optional.of(new JvmPacking(rank - 2, 1));
      case Op.Recurrent _ -> Optional.of(new JvmPacking(0, 1));
      case Op.ConvTranspose c when c.groups() == 1 && channels(node) >= SOME_CHANNELS ->
          Optional.of(new JvmPacking(1, rank - 2));
      case Op.ConvTranspose _ -> Optional.of(new JvmPacking(0, 1));
      case Op.Conv c when c.groups() == 1 && hasLanesOfChannels(node) ->
          Optional.of(new JvmPacking(0, rank - 1));
      default -> Optional.empty();
    };
  }

  private static boolean hasLanesOfChannels(Node node) {
    List<Affine> shape = node.output().type().shape();
    long pixels = 1;
    for (Affine extent : shape.subList(2, shape.size())) {
      pixels *= extent.typical();
    }
    long most = channels(node) >= MANY_CHANNELS ? MANY_PIXELS : SOME_PIXELS;
    return channels(node) >= SOME_CHANNELS && pixels < most;
  }

  private static long channels(Node node) {
    return node.output().type().dim(1).typical();
  }

  /// Whether a weight may be packed. The form of a transposed convolution that takes it leaves out
  /// products with the zeros between an input's elements, which are no zeros where it is not
  /// finite.
  boolean suits(Node node, Tensor weight) {
    return !(node.op() instanceof Op.ConvTranspose) || isFinite(weight);
  }

  private static boolean isFinite(Tensor weight) {
    MemorySegment data = weight.data();
    for (long at = 0; at < data.byteSize(); at += Float.BYTES) {
      if (!Float.isFinite(Float.intBitsToFloat(data.get(WORD, at)))) {
        return false;
      }
    }
    return true;
  }

  /// Where the elements of a packed weight lie.
  IndexFunction index(List<Affine> shape) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, shape.size()).boxed().toList());
    order.add(axis + over, order.remove(axis));
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
    long columns = product(shape, axis + 1, axis + 1 + over);
    long each = product(shape, axis + 1 + over, shape.length) * weight.element().bytes();
    for (long o = 0; o < outer; o++) {
      long matrix = o * rows * columns;
      for (long r = 0; r < rows; r++) {
        for (long c = 0; c < columns; c++) {
          long from = (matrix + r * columns + c) * each;
          long to = (matrix + c * rows + r) * each;
          copy(weight.data(), from, target, to, each);
        }
      }
    }
  }

  private static void copy(
      MemorySegment source, long from, MemorySegment target, long to, long bytes) {
    if (bytes == Integer.BYTES) {
      target.set(WORD, to, source.get(WORD, from));
    } else {
      MemorySegment.copy(source, from, target, to, bytes);
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
