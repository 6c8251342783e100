package io.miniinference.codegen.cpu.lanes;

import java.util.Optional;

/// The groups of a convolution, joined until the output channels of those that are joined fill
/// whole vectors: groups of 4 channels by fours, groups of 24 by twos, groups of 16 alone. A joined
/// group reads the input channels of all of its groups, and weights between one group and another
/// are zero.
///
/// @param groups joined ones
/// @param inputs input channels of each
/// @param outputs output channels of each
public record JoinedGroups(int groups, int inputs, int outputs) {
  private static final int LANES = VectorText.LANES;

  /// Joined groups multiply so many times by zero, which a plain loop still takes longer for.
  private static final int MOST_JOINED = 16;

  /// Those of a convolution without groups are one. Empty if they fill no whole vectors, or if the
  /// input channels of a joined group are no whole blocks.
  ///
  /// @param inputs input channels of the convolution
  /// @param outputs output channels of the convolution
  public static Optional<JoinedGroups> of(int groups, long inputs, long outputs) {
    if (groups == 1) {
      return Optional.of(new JoinedGroups(1, Math.toIntExact(inputs), Math.toIntExact(outputs)));
    }
    int each = Math.toIntExact(outputs / groups);
    int joined = joined(each);
    boolean fits =
        each > 0
            && joined <= MOST_JOINED
            && groups % joined == 0
            && inputs / groups * joined % LANES == 0;
    return fits
        ? Optional.of(
            new JoinedGroups(
                groups / joined, Math.toIntExact(inputs / groups * joined), each * joined))
        : Optional.empty();
  }

  /* The fewest groups whose output channels are whole vectors. */
  private static int joined(int outputs) {
    int joined = 1;
    while (joined * outputs % LANES != 0) {
      joined++;
    }
    return joined;
  }

  /// Whether all output channels of a joined group are pairs of vectors.
  public boolean isInPairs() {
    return outputs % (2 * LANES) == 0;
  }
}
