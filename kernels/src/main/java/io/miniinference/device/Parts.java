package io.miniinference.device;

import java.util.List;
import java.util.stream.IntStream;

/// Parts of a batch, each of which goes through all launches by itself, in memory of its lane: its
/// rows of the inputs go there first, and its rows of the outputs come from there at the end. Parts
/// of one lane go one after the other; those of different lanes share nothing that is written, and
/// a device may overlap them.
///
/// @param rows of each part but the last, which may have fewer
/// @param lanes part `i` is in lane `i` modulo this
/// @param each what the parts of the largest batch work on, in order; their regions are those of
///   the batch without the failure slots, and each byte of a region belongs to a row
public record Parts(int rows, int lanes, List<Binding> each) {
  public Parts {
    each = List.copyOf(each);
  }

  /// Some rows of a batch.
  ///
  /// @param index from 0
  /// @param first row
  /// @param rows how many
  public record Part(int index, int first, int rows, Binding binding) {
    /// Bytes of a row in one of its regions.
    public long rowBytes(Binding.Region region) {
      return region.sizeBytes().perBatch();
    }
  }

  /// How many there are of a batch of `n`.
  public int count(int n) {
    return Math.ceilDiv(n, rows);
  }

  /// Those of a batch of `n`.
  public List<Part> of(int n) {
    return IntStream.range(0, count(n))
        .mapToObj(i -> new Part(i, i * rows, Math.min(rows, n - i * rows), each.get(i)))
        .toList();
  }
}
