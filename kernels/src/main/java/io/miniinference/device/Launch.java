package io.miniinference.device;

import io.miniinference.layout.Affine;
import java.util.List;

/// One kernel launch of a prepared sequence.
///
/// @param kernel the kernel's name
/// @param offsets which entries of [Binding#offsets] the kernel takes, in the order of its
///   arguments
/// @param work how many work items there are
public record Launch(String kernel, List<Integer> offsets, Work work) {
  public Launch {
    offsets = List.copyOf(offsets);
  }

  /// The shape of a launch.
  public sealed interface Work {}

  /// `ceil(count / tile) · times` independent work items in one dimension, in work-groups of one,
  /// split between the workers of the device (OpenCL CPUs and the JVM). An item is a whole tile.
  ///
  /// @param grain fewest items worth a worker of their own
  /// @param most work items that there are at most, whatever the count
  public record Items(Affine count, int tile, long times, int grain, long most) implements Work {

    /// As many as the count says.
    public Items(Affine count, int tile, long times, int grain) {
      this(count, tile, times, grain, Long.MAX_VALUE);
    }

    public Items(Affine count, int grain) {
      this(count, 1, 1, grain);
    }

    /// The number of work items at batch size `n`.
    public long number(long n) {
      return Math.min(most, Math.multiplyExact(Math.ceilDiv(count.at(n), (long) tile), times));
    }
  }

  /// `ceil(count / tile)` work-groups of `local` work items in each of one to three dimensions
  /// (GPUs). Dimension 0 may be of any size: it is run in several pieces where a driver needs that
  /// (see [ProgramCode] on `first`). Dimensions 1 and 2 have fewer than 65,535 work items each.
  ///
  /// @param batches at which there are any
  /// @param inTurn whether those of dimension 0 run one after the other, each behind all that those
  ///   before it wrote, whatever their places in dimensions 1 and 2: a launch of its own each
  public record Groups(List<Extent> dimensions, Batches batches, boolean inTurn) implements Work {
    public Groups {
      dimensions = List.copyOf(dimensions);
    }

    /// Work-groups at every batch size, in no order.
    public Groups(List<Extent> dimensions) {
      this(dimensions, Batches.ALL, false);
    }

    /// The same at some batch sizes alone.
    public Groups at(Batches some) {
      return new Groups(dimensions, some, inTurn);
    }
  }

  /// The batch sizes from `from` on, and below `until`.
  public record Batches(long from, long until) {
    /// Every batch size.
    public static final Batches ALL = new Batches(0, Long.MAX_VALUE);

    /// Whether a batch size is one of them.
    public boolean contains(long n) {
      return from <= n && n < until;
    }
  }

  /// One dimension of [Groups].
  public record Extent(Affine count, int tile, int local) {}
}
