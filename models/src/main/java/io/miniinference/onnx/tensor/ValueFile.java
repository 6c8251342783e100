package io.miniinference.onnx.tensor;

import com.google.protobuf.Parser;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.WireBytes;
import io.miniinference.onnx.wire.OptionalProto;
import io.miniinference.onnx.wire.SequenceProto;
import io.miniinference.onnx.wire.TypeProto;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Files of the ONNX test layout that hold one value of any type, such as `input_0.pb`.
///
/// Nothing in the file says whether it holds a tensor, a sequence or an optional; the type that the
/// model declares for the value does.
public final class ValueFile {
  /// Room for names and field headers beside a tensor's data.
  static final long OVERHEAD_BYTES = 1 << 20;

  private final String name;
  private final TensorReader tensors;
  private final long maxFileBytes;

  private ValueFile(String name, @Nullable Path folder, long maxBytes) {
    this.name = name;
    this.tensors = new TensorReader(name, folder, maxBytes);
    this.maxFileBytes = Math.min(ReadLimits.MESSAGE_BYTES, maxBytes + OVERHEAD_BYTES);
  }

  /// The value in a file.
  ///
  /// @param type the type that the model declares
  /// @param maxBytes largest value
  public static OnnxValue read(Path file, TypeProto type, long maxBytes) {
    String name = String.valueOf(file.getFileName());
    var reader = new ValueFile(name, file.toAbsolutePath().getParent(), maxBytes);
    return reader.read(WireBytes.file(name, file, reader.maxFileBytes), type);
  }

  /// The value in bytes that did not come from a file.
  public static OnnxValue read(String name, ByteBuffer bytes, TypeProto type, long maxBytes) {
    return new ValueFile(name, null, maxBytes).read(bytes, type);
  }

  private OnnxValue read(ByteBuffer bytes, TypeProto type) {
    return switch (type.getValueCase()) {
      case TENSOR_TYPE -> tensors.read(parse(TensorReader.PARSER, bytes));
      case SEQUENCE_TYPE -> sequence(parse(SequenceProto.parser(), bytes));
      case OPTIONAL_TYPE -> optional(parse(OptionalProto.parser(), bytes));
      case MAP_TYPE, SPARSE_TENSOR_TYPE, OPAQUE_TYPE, VALUE_NOT_SET -> throw unsupported();
    };
  }

  /// A message in which nothing is set takes no bytes: an empty sequence or optional.
  private <T> T parse(Parser<T> parser, ByteBuffer bytes) {
    return WireBytes.messageOrEmpty(name, parser, bytes, maxFileBytes);
  }

  private OnnxValue.Sequence sequence(SequenceProto proto) {
    if (proto.getMapValuesCount() > 0 || proto.getSparseTensorValuesCount() > 0) {
      throw unsupported();
    }
    List<OnnxValue> elements = new ArrayList<>();
    proto.getTensorValuesList().forEach(tensor -> elements.add(tensors.read(tensor)));
    proto.getSequenceValuesList().forEach(inner -> elements.add(sequence(inner)));
    proto.getOptionalValuesList().forEach(inner -> elements.add(optional(inner)));
    return new OnnxValue.Sequence(proto.getName(), elements);
  }

  private OnnxValue.Maybe optional(OptionalProto proto) {
    if (proto.hasMapValue() || proto.hasSparseTensorValue()) {
      throw unsupported();
    }
    return new OnnxValue.Maybe(proto.getName(), Optional.ofNullable(value(proto)));
  }

  private @Nullable OnnxValue value(OptionalProto proto) {
    if (proto.hasTensorValue()) {
      return tensors.read(proto.getTensorValue());
    } else if (proto.hasSequenceValue()) {
      return sequence(proto.getSequenceValue());
    }
    return proto.hasOptionalValue() ? optional(proto.getOptionalValue()) : null;
  }

  private ModelException unsupported() {
    return new ModelException(
        name,
        Problem.of(
            "holds a map or a sparse or opaque value; only tensors, sequences and optionals of them are read"));
  }
}
