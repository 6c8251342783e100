package io.miniinference.service.tensors;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An array that NumPy saved. Source: NumPy's NEP 1, "A simple file format for NumPy arrays".
record NpyContent(Path file, Tensor saved) implements InputContent {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int VERSION_AT = MAGIC.length;
  private static final int LENGTH_AT = MAGIC.length + 2;
  private static final Pattern DTYPE =
      Pattern.compile("'descr'\\s*:\\s*(?:'([<>|=]?)([^']*)'|\\[)");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, ]*)\\)");
  private static final Map<String, ElementType> TYPES =
      Map.ofEntries(
          Map.entry("f2", ElementType.F16),
          Map.entry("f4", ElementType.F32),
          Map.entry("f8", ElementType.F64),
          Map.entry("i1", ElementType.I8),
          Map.entry("i2", ElementType.I16),
          Map.entry("i4", ElementType.I32),
          Map.entry("i8", ElementType.I64),
          Map.entry("u1", ElementType.U8),
          Map.entry("u2", ElementType.U16),
          Map.entry("u4", ElementType.U32),
          Map.entry("u8", ElementType.U64),
          Map.entry("b1", ElementType.BOOL));

  static NpyContent of(Path file, byte[] bytes) {
    if (bytes.length < LENGTH_AT + 4
        || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw wrong(file, "it does not begin as an array of NumPy's does");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean isShort = bytes[VERSION_AT] == 1;
    long length = isShort ? buffer.getShort(LENGTH_AT) & 0xFFFF : buffer.getInt(LENGTH_AT);
    int from = LENGTH_AT + (isShort ? 2 : 4);
    if (length < 0 || length > bytes.length - from) {
      throw wrong(file, "its header of " + length + " bytes is cut off");
    }
    String header = new String(bytes, from, (int) length, StandardCharsets.ISO_8859_1);
    return new NpyContent(file, tensor(file, header, bytes, from + (int) length));
  }

  private static Tensor tensor(Path file, String header, byte[] bytes, int from) {
    ElementType element = element(file, header);
    if (find(file, ORDER, header).group(1).equals("True")) {
      throw wrong(file, "it is in Fortran's order: save numpy.ascontiguousarray(x)");
    }
    long[] shape = shape(file, find(file, SHAPE, header).group(1));
    long wanted = bytes(file, shape, element);
    if (wanted != bytes.length - from) {
      throw wrong(
          file,
          "%s%s takes %,d bytes, and it has %,d"
              .formatted(element, Arrays.toString(shape), wanted, bytes.length - from));
    }
    return new Tensor(element, shape, MemorySegment.ofArray(bytes).asSlice(from));
  }

  private static long bytes(Path file, long[] shape, ElementType element) {
    try {
      return Math.multiplyExact(Tensor.elements(shape), (long) element.bytes());
    } catch (ArithmeticException e) {
      throw wrong(file, "its shape " + Arrays.toString(shape) + " has too many elements");
    }
  }

  private static ElementType element(Path file, String header) {
    Matcher type = find(file, DTYPE, header);
    String name = type.group(2);
    if (name == null) {
      throw wrong(file, "its elements have several fields: save one of them, x['NAME']");
    }
    ElementType element = TYPES.get(name);
    if (element == null || (type.group(1).equals(">") && element.bytes() > 1)) {
      throw wrong(file, "its dtype is '%s%s': %s".formatted(type.group(1), name, instead(name)));
    }
    return element;
  }

  /* What has the same content in a type that there is. */
  private static String instead(String name) {
    if (TYPES.containsKey(name)) {
      return "save x.astype('<%s')".formatted(name);
    }
    return switch (name.isEmpty() ? ' ' : name.charAt(0)) {
      case 'U', 'S', 'O', 'T' ->
          "write strings as JSON, json.dump(x.tolist(), file), and numbers as x.astype(np.float32)";
      case 'M', 'm' -> "save x.astype(np.int64)";
      case 'c' -> "save x.real and x.imag, as the model takes them";
      default -> "save x.astype(np.float64)";
    };
  }

  private static long[] shape(Path file, String text) {
    try {
      return Arrays.stream(text.split(","))
          .map(String::strip)
          .filter(size -> !size.isEmpty())
          .mapToLong(Long::parseLong)
          .toArray();
    } catch (NumberFormatException e) {
      throw wrong(file, "its shape is (" + text + ")");
    }
  }

  private static Matcher find(Path file, Pattern pattern, String header) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw wrong(file, "its header tells no dtype, order or shape: " + header.strip());
    }
    return matcher;
  }

  private static IllegalArgumentException wrong(Path file, String why) {
    return new IllegalArgumentException("'%s' cannot be read: %s".formatted(file, why));
  }

  @Override
  public long rows() {
    return saved.shape().length == 0 ? 1 : saved.shape()[0];
  }

  @Override
  public Tensor tensor(TensorSpec input) {
    return Elements.converted(file.toString(), saved, input);
  }
}
