package io.miniinference.onnx;

/// The most that reading one model may take.
///
/// @param modelBytes largest model file or message, at most 2 GiB less 16 bytes
/// @param tensorBytes largest single tensor, as held after reading
/// @param nodes most nodes, those in bodies included, after functions are expanded
public record ReadLimits(long modelBytes, long tensorBytes, int nodes) {
  /// What one protobuf message and one Java array can hold.
  public static final long MESSAGE_BYTES = Integer.MAX_VALUE - 15L;

  public ReadLimits {
    if (modelBytes < 1 || modelBytes > MESSAGE_BYTES || tensorBytes < 1 || nodes < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, and modelBytes at most %d: modelBytes=%d tensorBytes=%d nodes=%d"
              .formatted(MESSAGE_BYTES, modelBytes, tensorBytes, nodes));
    }
  }

  /// 2 GiB a model, 2 GiB a tensor, a million nodes.
  public static ReadLimits defaults() {
    return new ReadLimits(MESSAGE_BYTES, 1L << 31, 1_000_000);
  }
}
