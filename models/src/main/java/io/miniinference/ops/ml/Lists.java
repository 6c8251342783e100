package io.miniinference.ops.ml;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Attributes of this domain that are lists, as Java arrays.
final class Lists {
  /// What an attribute of floats is called where it is a tensor, which may be of doubles.
  private static final String AS_TENSOR = "_as_tensor";

  private Lists() {}

  /// The floats of a list, or of the tensor that stands in its place; none where there is neither.
  static double[] reals(OpContext c, String name) {
    AttributeProto message = c.attributes().message(name + AS_TENSOR);
    return message == null
        ? ofFloats(c, name)
        : SmallTensors.reals(read(c, name + AS_TENSOR, message));
  }

  private static double[] ofFloats(OpContext c, String name) {
    List<Float> list = c.attributes().reals(name);
    double[] values = new double[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i);
    }
    return values;
  }

  /// The tensor of an attribute; none where it is not given.
  static @Nullable Tensor tensor(OpContext c, String name) {
    AttributeProto message = c.attributes().message(name);
    return message == null ? null : read(c, name, message);
  }

  private static Tensor read(OpContext c, String name, AttributeProto message) {
    if (message.getType() != AttributeType.TENSOR) {
      throw LoweringFault.of(
          "has attribute %s of type %s; it is of type TENSOR"
              .formatted(Quote.of(name), message.getType()));
    }
    return c.constants().read(message.getT());
  }

  /// Refuses a list of another length than one that belongs to it.
  static void require(String name, long length, String other, long wanted) {
    if (length != wanted) {
      throw LoweringFault.of(
          "has %,d elements in %s, and %,d in %s"
              .formatted(length, Quote.of(name), wanted, Quote.of(other)));
    }
  }

  /// Whole numbers as a constant, in an array of bytes as constants of files are.
  static Value constant(OpContext c, Tensor tensor) {
    MemorySegment bytes =
        MemorySegment.ofArray(new byte[Math.toIntExact(tensor.data().byteSize())]);
    return c.constant(new Tensor(tensor.element(), tensor.shape(), bytes.copyFrom(tensor.data())));
  }

  /// Floats as a constant.
  static Value constant(OpContext c, ElementType type, double[] values, long... shape) {
    return c.constant(SmallTensors.of(type, shape, values));
  }
}
