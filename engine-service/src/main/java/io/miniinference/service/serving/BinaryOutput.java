package io.miniinference.service.serving;

import io.miniinference.service.elements.WireStrings;

/// An output as the protocols carry binary data: elements packed and little-endian; strings each
/// behind their length in four bytes.
public final class BinaryOutput {
  private BinaryOutput() {}

  public static byte[] bytes(OutputTensor output) {
    return switch (output) {
      case OutputTensor.Elements elements -> elements.bytes();
      case OutputTensor.Strings strings -> WireStrings.bytes(strings.elements());
    };
  }
}
