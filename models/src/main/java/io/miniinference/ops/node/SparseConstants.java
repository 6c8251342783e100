package io.miniinference.ops.node;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Function;

/// Sparse tensor messages to dense tensors
/// ([SparseTensorProto](https://onnx.ai/onnx/api/classes.html#sparsetensorproto)): zero, or the
/// empty string, where the message has no value. A place is one number in row-major order, or one
/// number for each axis.
///
/// A message of a few bytes may stand for any number of elements, so that all of a model's together
/// are bounded before there is memory for them.
final class SparseConstants {
  private final Function<TensorProto, Tensor> reader;
  private final long maxBytes;
  private long heldBytes;

  /// @param reader of values and of indices
  /// @param maxBytes most that all dense tensors may take together
  SparseConstants(Function<TensorProto, Tensor> reader, long maxBytes) {
    this.reader = reader;
    this.maxBytes = maxBytes;
  }

  /// The dense tensor of a message.
  ///
  /// @throws LoweringFault if the message is faulty, or the tensor too large
  Tensor dense(SparseTensorProto proto) {
    Tensor values = reader.apply(proto.getValues());
    if (values.shape().length != 1) {
      throw LoweringFault.of("is sparse, with values of %s; they have one axis".formatted(values));
    }
    long[] shape = proto.getDimsList().stream().mapToLong(Long::longValue).toArray();
    hold(shape, values.element());
    long[] places = places(proto, values.elements(), shape);
    MemorySegment data = zeros(Tensor.elements(shape) * values.element().bytes());
    long bytes = values.element().bytes();
    for (int i = 0; i < places.length; i++) {
      MemorySegment.copy(values.data(), i * bytes, data, places[i] * bytes, bytes);
    }
    return new Tensor(values.element(), shape, data);
  }

  private void hold(long[] shape, ElementType type) {
    try {
      long bytes = Math.multiplyExact(Tensor.elements(shape), (long) type.bytes());
      if (bytes > maxBytes - heldBytes) {
        throw LoweringFault.of(
            "is sparse, and takes %,d bytes as %s%s; beside %,d bytes of others, the limit is %,d"
                .formatted(bytes, type, Arrays.toString(shape), heldBytes, maxBytes));
      }
      heldBytes += bytes;
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw LoweringFault.of(
          "is sparse, of shape %s, which is negative or too large to count"
              .formatted(Arrays.toString(shape)));
    }
  }

  private static MemorySegment zeros(long bytes) {
    return bytes <= Integer.MAX_VALUE / 2
        ? MemorySegment.ofArray(new byte[(int) bytes])
        : Arena.ofAuto().allocate(bytes, Long.BYTES);
  }

  /* Where each value is, in row-major order. */
  private long[] places(SparseTensorProto proto, long values, long[] shape) {
    Tensor indices = reader.apply(proto.getIndices());
    long[] of = indices.shape();
    boolean byAxis = of.length == 2 && of[1] == shape.length;
    if (indices.element() != ElementType.I64 || of.length == 0 || of[0] != values) {
      throw misplaced(indices, values, shape);
    }
    if (!byAxis && of.length != 1) {
      throw misplaced(indices, values, shape);
    }
    long[] bounds = byAxis ? shape : new long[] {Tensor.elements(shape)};
    long[] places = new long[Math.toIntExact(values)];
    Arrays.setAll(places, i -> place(indices, i, bounds));
    return places;
  }

  private static LoweringFault misplaced(Tensor indices, long values, long[] shape) {
    return LoweringFault.of(
        "is sparse, with %d values and indices of %s; they are i64[%d] or i64[%d,%d]"
            .formatted(values, indices, values, values, shape.length));
  }

  private static long place(Tensor indices, int value, long[] bounds) {
    long place = 0;
    for (int axis = 0; axis < bounds.length; axis++) {
      long index = SmallTensors.integer(indices, (long) value * bounds.length + axis);
      if (index < 0 || index >= bounds[axis]) {
        throw LoweringFault.of(
            "is sparse, with index %d of value %d outside [0, %d]"
                .formatted(index, value, bounds[axis] - 1));
      }
      place = place * bounds[axis] + index;
    }
    return place;
  }
}
