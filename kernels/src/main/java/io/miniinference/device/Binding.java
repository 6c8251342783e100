package io.miniinference.device;

import java.util.List;
import java.util.Optional;

/// What a run of prepared commands works on: a batch size, the byte offset of every block, and
/// which bytes of the pool are the request's inputs and outputs. Made at load per batch bucket;
/// only `n` varies below a bucket.
///
/// @param offsets byte offset in the pool per block id
/// @param inputs regions that the host fills before a run, in the order of the model's inputs
/// @param outputs regions that the host reads after it; failure slots come last
/// @param parts in which the batch goes, if it does: all regions but the failure slots' then tell
///   how many bytes there are, and parts tell where
@SuppressWarnings("ArrayRecordComponent") // read in the request path, and compared by identity
public record Binding(
    long[] offsets, List<Region> inputs, List<Region> outputs, Optional<Parts> parts) {
  /// Of a batch that goes whole.
  public Binding(long[] offsets, List<Region> inputs, List<Region> outputs) {
    this(offsets, inputs, outputs, Optional.empty());
  }

  /// Bytes of the pool: `offsetBytes`, and a size in the batch.
  public record Region(long offsetBytes, io.miniinference.layout.Affine sizeBytes) {}
}
