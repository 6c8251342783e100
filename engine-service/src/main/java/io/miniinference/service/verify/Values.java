package io.miniinference.service.verify;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.OnnxType;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// Tensors of files as the engine has them and back, and their single elements.
final class Values {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Values() {}

  /// The value as the engine has it; none for sequences and types that it does not know.
  static Optional<Tensor> tensor(OnnxValue value) {
    if (!(value instanceof OnnxTensor tensor)) {
      return Optional.empty();
    }
    if (tensor.type() == OnnxType.STRING) {
      return Optional.of(Tensor.of(tensor.strings().toArray(String[]::new), tensor.dims()));
    }
    return tensor
        .type()
        .element()
        .or(() -> codes(tensor.type()))
        .map(element -> new Tensor(element, tensor.dims(), tensor.unpacked()));
  }

  /* Elements of 8 bits and fewer are codes, one to a byte. */
  private static Optional<ElementType> codes(OnnxType type) {
    return CodedType.ofOnnx(type.number())
        .filter(coded -> coded != CodedType.STRING)
        .map(CodedType::element);
  }

  static OnnxTensor file(String name, Tensor tensor) {
    if (tensor.isOfStrings()) {
      return OnnxTensor.ofStrings(name, tensor.shape(), List.of(tensor.strings()));
    }
    OnnxType type = OnnxType.of(tensor.element().onnx()).orElseThrow();
    return OnnxTensor.of(name, type, tensor.shape(), tensor.data());
  }

  /// A copy that outlives the memory of the original, in bytes that a file can be written of.
  static Tensor copy(Tensor tensor) {
    MemorySegment bytes = MemorySegment.ofArray(tensor.data().toArray(JAVA_BYTE));
    return new Tensor(tensor.element(), tensor.shape().clone(), bytes, tensor.table());
  }

  /// An element of a float type.
  static double real(Tensor tensor, long i) {
    MemorySegment data = tensor.data();
    return switch (tensor.element()) {
      case F32 -> Float.intBitsToFloat(data.get(INT, i * 4));
      case F64 -> Double.longBitsToDouble(data.get(LONG, i * 8));
      case F16 -> Float.float16ToFloat(data.get(SHORT, i * 2));
      case BF16 -> BrainFloat.toFloat(data.get(SHORT, i * 2));
      case I8, I16, I32, I64, U8, U16, U32, U64, BOOL -> whole(tensor, i).doubleValue();
    };
  }

  /// An element of a whole-number or boolean type.
  static BigInteger whole(Tensor tensor, long i) {
    MemorySegment data = tensor.data();
    long value =
        switch (tensor.element().bytes()) {
          case 1 -> data.get(JAVA_BYTE, i);
          case 2 -> data.get(SHORT, i * 2);
          case 4 -> data.get(INT, i * 4);
          default -> data.get(LONG, i * 8);
        };
    BigInteger signed = BigInteger.valueOf(value);
    boolean wraps = value < 0 && tensor.element().kind() == ElementType.Kind.UNSIGNED;
    return wraps ? signed.add(BigInteger.TWO.pow(8 * tensor.element().bytes())) : signed;
  }

  /// An element as a message shows it.
  static String text(Tensor tensor, long i) {
    StringTable table = tensor.table();
    if (table != null) {
      return Quote.of(table.text(whole(tensor, i).intValueExact()));
    }
    return tensor.element().isFloat()
        ? Double.toString(real(tensor, i))
        : whole(tensor, i).toString();
  }
}
