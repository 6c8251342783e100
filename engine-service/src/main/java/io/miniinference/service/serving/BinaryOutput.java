package io.miniinference.service.serving;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// An output as the protocols carry binary data: elements packed and little-endian; texts each
/// behind their length in four bytes.
public final class BinaryOutput {
  private BinaryOutput() {}

  public static byte[] bytes(OutputTensor output) {
    return switch (output) {
      case OutputTensor.Elements elements -> elements.bytes();
      case OutputTensor.Texts texts -> texts(texts);
    };
  }

  private static byte[] texts(OutputTensor.Texts texts) {
    var bytes = new ByteArrayOutputStream();
    for (String text : texts.texts()) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(utf8.length).array());
      bytes.writeBytes(utf8);
    }
    return bytes.toByteArray();
  }
}
