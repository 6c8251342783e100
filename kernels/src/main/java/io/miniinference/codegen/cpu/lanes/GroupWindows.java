package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.IndexText;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import java.util.Optional;
import java.util.stream.IntStream;

/// Which input channels of a convolution with groups the output channels of each work item read: a
/// window over those of all of its groups, from the start of a vector on. The windows of all work
/// items are as wide as the widest needs; weights between one group and another are zero.
///
/// ```
/// 4 groups of 34 channels, 32 output channels a work item:
///
///   outputs    0 .. 31 | 32 .. 63 | 64 .. 95 | 96 .. 127 | 128 .. 135
///   groups     0       | 0, 1     | 1, 2     | 2, 3      | 3
///   window     0 .. 71 |  0 .. 71 | 32 .. 103| 64 .. 135 | 64 .. 135
/// ```
///
/// @param outputs output channels of a group
/// @param inputs input channels of a group
/// @param lanes output channels of a work item
/// @param width input channels of a window
/// @param last where the last windows begin
public record GroupWindows(int outputs, int inputs, int lanes, int width, int last) {
  private static final int LANES = VectorText.LANES;

  /// Windows wider than so many groups multiply mostly by zero, which a plain loop takes no longer
  /// for.
  private static final int MOST_GROUPS = 16;

  /// Without groups the window is all input channels. Empty if windows were too wide.
  ///
  /// @param inputs input channels of the convolution
  /// @param outputs output channels of the convolution
  public static Optional<GroupWindows> of(int groups, long inputs, long outputs, int lanes) {
    int all = Math.toIntExact(inputs);
    int own = all / groups;
    int each = Math.toIntExact(outputs / groups);
    if (groups == 1 || each == 0) {
      return groups == 1
          ? Optional.of(new GroupWindows(each, own, lanes, all, 0))
          : Optional.empty();
    }
    GroupWindows windows = new GroupWindows(each, own, lanes, 0, all);
    int width = windows.widest(groups);
    while (width > windows.width) {
      windows = new GroupWindows(each, own, lanes, width, (all - width) / LANES * LANES);
      width = windows.widest(groups);
    }
    return width <= MOST_GROUPS * own ? Optional.of(windows) : Optional.empty();
  }

  /// As above, of one or two vectors of output channels a work item: of two where their windows are
  /// not much wider.
  public static Optional<GroupWindows> of(int groups, long inputs, long outputs) {
    Optional<GroupWindows> one = of(groups, inputs, outputs, LANES);
    Optional<GroupWindows> two = of(groups, inputs, outputs, 2 * LANES);
    boolean isOne = two.isEmpty() || outputs <= LANES || 4 * two.get().width > 5 * one.get().width;
    return isOne ? one : two;
  }

  /// Those of a node of a convolution, plain or transposed, whose numbers of channels are known.
  public static Optional<GroupWindows> of(Node node, int groups, int lanes) {
    return of(groups, channels(node.inputs().getFirst()), channels(node.output()), lanes);
  }

  /// As [#of(int, long, long)], of a node.
  public static Optional<GroupWindows> of(Node node, int groups) {
    return of(groups, channels(node.inputs().getFirst()), channels(node.output()));
  }

  private static long channels(Value value) {
    return value.type().dim(1).asConstant();
  }

  /// Vectors of output channels of a work item.
  public int blocks() {
    return lanes / LANES;
  }

  /// Where the window of a work item begins: a multiple of a vector's lanes.
  ///
  /// @param block the work item, by its output channels
  public int first(int block) {
    return Math.min(block * lanes / outputs * inputs / LANES * LANES, last);
  }

  /// What a kernel's text adds to the place of the first channel; empty if all windows begin there.
  ///
  /// @param block the term that stands for the work item, by its output channels
  /// @param channels how input channels lie: one by one, or in blocks of which a vector holds some
  public String startText(String block, Axis channels) {
    if (last == 0) {
      return "";
    }
    Affine vector =
        channels.isBlocked()
            ? channels.outerStride().times(LANES / channels.block())
            : channels.stride().times(LANES);
    return " + (long)min(%s * %d / %d * %d / %d, %d) * %s"
        .formatted(block, lanes, outputs, inputs, LANES, last / LANES, IndexText.affine(vector));
  }

  private int widest(int groups) {
    int all = groups * outputs;
    return IntStream.range(0, Math.ceilDiv(all, lanes)).map(b -> width(b, all)).max().orElseThrow();
  }

  /* Up to the last channel of its last group. */
  private int width(int block, int all) {
    int lastOutput = Math.min((block + 1) * lanes, all) - 1;
    return (lastOutput / outputs + 1) * inputs - first(block);
  }
}
