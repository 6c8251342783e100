package io.miniinference.ir.text;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// The content of constants as text: elements in row-major order, or for a large one a digest.
public final class TensorText {
  /// Constants of more elements are printed as a digest.
  static final long INLINE_ELEMENTS = 64;

  private TensorText() {}

  static String print(Tensor tensor) {
    if (tensor.elements() > INLINE_ELEMENTS) {
      return "large " + digest(tensor);
    }
    return LongStream.range(0, tensor.elements())
        .mapToObj(i -> element(tensor, i))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String element(Tensor tensor, long index) {
    ElementType type = tensor.element();
    long raw = ElementBits.raw(tensor, index);
    String text = ExprText.literal(type, ElementBits.decode(type, raw));
    return !text.startsWith("0x") && encoded(type, text) == raw
        ? text
        : "0x" + Long.toHexString(raw);
  }

  private static long encoded(ElementType type, String text) {
    long mask = type.bytes() == 8 ? -1L : (1L << (8 * type.bytes())) - 1;
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : ElementBits.encode(type, ExprText.bits(type, text)) & mask;
  }

  /// @throws NumberFormatException if a literal is none of the type
  /// @throws IllegalArgumentException if their number is not the shape's
  static Tensor parse(TensorType type, List<String> literals) {
    Tensor tensor = zeros(type);
    if (literals.size() != tensor.elements()) {
      throw new IllegalArgumentException(
          type + " has " + tensor.elements() + " elements, not " + literals.size());
    }
    for (int i = 0; i < literals.size(); i++) {
      ElementBits.writeRaw(
          tensor.data(), type.element(), i, encoded(type.element(), literals.get(i)));
    }
    return tensor;
  }

  public static Tensor zeros(TensorType type) {
    if (!type.isStatic()) {
      throw new IllegalArgumentException("constant type " + type + " depends on the batch");
    }
    long[] shape = type.shapeAt(1);
    long bytes = Math.multiplyExact(Tensor.elements(shape), (long) type.element().bytes());
    return new Tensor(
        type.element(), shape, MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
  }

  /* The first 8 bytes of SHA-256 tell constants apart well enough for reading. */
  private static String digest(Tensor tensor) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      long size = tensor.data().byteSize();
      for (long at = 0; at < size; at += 1 << 20) {
        sha.update(tensor.data().asSlice(at, Math.min(1 << 20, size - at)).asByteBuffer());
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
