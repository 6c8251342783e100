package io.miniinference.onnx.tensor;

import com.google.protobuf.ByteString;
import com.google.protobuf.Parser;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.WireBytes;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataLocation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tensor messages to tensors, with nothing that the message says about sizes believed unchecked.
///
/// Raw data are not copied: the tensor is a view of the message. Each call throws one
/// [ModelException] with one problem, whose place is the tensor's name.
public final class TensorReader {
  /// More dimensions than any framework makes.
  private static final int MAX_RANK = 64;

  public static final Parser<TensorProto> PARSER = TensorProto.parser();

  private final String subject;
  private final @Nullable Path folder;
  private final long maxBytes;

  /// @param subject the model or file, for messages
  /// @param folder where external data lie, or null if there can be none
  /// @param maxBytes largest tensor, as held after reading
  public TensorReader(String subject, @Nullable Path folder, long maxBytes) {
    this.subject = subject;
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /// A reader of a model's constants.
  public static TensorReader of(OnnxModel model, ReadLimits limits) {
    return new TensorReader(model.name(), model.folder(), limits.tensorBytes());
  }

  /// Reads a file that holds one tensor, such as `input_0.pb`.
  public static OnnxTensor readFile(Path file, long maxBytes) {
    String name = String.valueOf(file.getFileName());
    long maxFile = Math.min(ReadLimits.MESSAGE_BYTES, maxBytes + ValueFile.OVERHEAD_BYTES);
    ByteBuffer bytes = WireBytes.file(name, file, maxFile);
    TensorProto proto = WireBytes.message(name, PARSER, bytes, maxFile);
    return new TensorReader(name, file.toAbsolutePath().getParent(), maxBytes).read(proto);
  }

  /// The tensor that a message describes.
  public OnnxTensor read(TensorProto proto) {
    try {
      OnnxType type = type(proto);
      long[] dims = dims(proto);
      long elements = elements(dims, type);
      if (type == OnnxType.STRING) {
        return OnnxTensor.ofStrings(proto.getName(), dims, strings(proto, elements));
      }
      MemorySegment data = data(proto, type, elements);
      if (type == OnnxType.BOOL) {
        checkBooleans(data);
      }
      return OnnxTensor.of(proto.getName(), type, dims, data);
    } catch (TensorFault fault) {
      String where = "tensor " + Quote.of(proto.getName());
      throw new ModelException(subject, new Problem(where, fault.what()));
    }
  }

  private static OnnxType type(TensorProto proto) {
    return OnnxType.of(proto.getDataType())
        .orElseThrow(() ->
            new TensorFault(
                "has data type %d, which is not one of ONNX's (1 to %d)"
                    .formatted(proto.getDataType(), OnnxType.values().length)));
  }

  private static long[] dims(TensorProto proto) {
    if (proto.hasSegment()) {
      throw new TensorFault("is one segment of a tensor; store it whole");
    }
    if (proto.getDimsCount() > MAX_RANK) {
      throw new TensorFault(
          "has %d dimensions, more than %d".formatted(proto.getDimsCount(), MAX_RANK));
    }
    return proto.getDimsList().stream().mapToLong(Long::longValue).toArray();
  }

  private long elements(long[] dims, OnnxType type) {
    try {
      long elements = Dims.elements(dims);
      long bytes = type == OnnxType.STRING ? elements : type.bytes(elements);
      if (bytes > maxBytes) {
        throw new TensorFault(
            "%s%s is larger than the limit of %d bytes"
                .formatted(type, Arrays.toString(dims), maxBytes));
      }
      return elements;
    } catch (ArithmeticException e) {
      throw new TensorFault(
          "has shape %s, which is negative or too large to count".formatted(Arrays.toString(dims)),
          e);
    }
  }

  private MemorySegment data(TensorProto proto, OnnxType type, long elements) {
    long bytes = type.bytes(elements);
    boolean typed = TypedData.any(proto);
    if (proto.getDataLocation() == DataLocation.EXTERNAL) {
      if (typed || !proto.getRawData().isEmpty()) {
        throw new TensorFault("has both external data and data of its own");
      }
      return ExternalData.of(proto, bytes).read(folder);
    }
    if (proto.getRawData().isEmpty()) {
      return TypedData.bytes(proto, type, elements);
    }
    if (typed) {
      throw new TensorFault("has both raw data and typed data");
    }
    return raw(proto.getRawData(), bytes);
  }

  private static MemorySegment raw(ByteString raw, long bytes) {
    if (raw.size() != bytes) {
      throw new TensorFault(
          "has %d bytes of raw data, its type and shape need %d".formatted(raw.size(), bytes));
    }
    return MemorySegment.ofBuffer(raw.asReadOnlyByteBuffer());
  }

  /// ONNX writes one byte per boolean, 0 or 1; kernels rely on it.
  private static void checkBooleans(MemorySegment data) {
    for (long i = 0; i < data.byteSize(); i++) {
      byte value = data.get(ValueLayout.JAVA_BYTE, i);
      if ((value & 0xfe) != 0) {
        throw new TensorFault(
            "has byte %d at position %d; booleans are 0 or 1".formatted(value & 0xff, i));
      }
    }
  }

  private List<String> strings(TensorProto proto, long elements) {
    if (proto.hasRawData() || proto.getDataLocation() == DataLocation.EXTERNAL) {
      throw new TensorFault("has strings as raw or external data; they belong in string_data");
    }
    TypedData.checkOnly(proto, OnnxType.STRING, elements);
    long bytes = proto.getStringDataList().stream().mapToLong(ByteString::size).sum();
    if (bytes > maxBytes) {
      throw new TensorFault("has %d bytes of strings, the limit is %d".formatted(bytes, maxBytes));
    }
    List<String> strings = new ArrayList<>(proto.getStringDataCount());
    for (ByteString utf8 : proto.getStringDataList()) {
      strings.add(decode(utf8, strings.size()));
    }
    return strings;
  }

  private static String decode(ByteString utf8, int position) {
    try {
      var decoder = StandardCharsets.UTF_8.newDecoder();
      return decoder.decode(utf8.asReadOnlyByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw new TensorFault("has a string at position %d that is not UTF-8".formatted(position), e);
    }
  }
}
