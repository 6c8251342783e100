package io.miniinference.onnx.tensor;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.TensorProto;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Tensors to tensor messages, data as raw bytes (strings as a list).
public final class TensorWriter {
  private TensorWriter() {}

  /// The message of a tensor.
  ///
  /// @throws IllegalArgumentException if the data do not fit one message (2 GiB)
  public static TensorProto message(OnnxTensor tensor) {
    var proto = TensorProto.newBuilder().setName(tensor.name());
    proto.setDataType(tensor.type().number());
    for (long dim : tensor.dims()) {
      proto.addDims(dim);
    }
    if (tensor.type() == OnnxType.STRING) {
      tensor.strings().forEach(text -> proto.addStringData(ByteString.copyFromUtf8(text)));
    } else {
      proto.setRawData(bytes(tensor));
    }
    return proto.build();
  }

  /// Writes a file that holds one tensor, such as `output_0.pb`.
  public static void writeFile(OnnxTensor tensor, Path file) throws IOException {
    try (var out = new BufferedOutputStream(Files.newOutputStream(file))) {
      message(tensor).writeTo(out);
    }
  }

  private static ByteString bytes(OnnxTensor tensor) {
    MemorySegment data = tensor.data();
    if (data.byteSize() > ReadLimits.MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "tensor %s has %d bytes, a message holds %d"
              .formatted(Quote.of(tensor.name()), data.byteSize(), ReadLimits.MESSAGE_BYTES));
    }
    return ByteString.copyFrom(data.asByteBuffer());
  }
}
