package io.miniinference.plan.planner;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Program;
import io.miniinference.plan.packing.Alignment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The arena of a batch whose rows go through the whole program a few at a time: the inputs and
/// outputs of all rows, and a private arena for each lane. A lane is a work item that takes piece
/// after piece of the batch; its arena is the plan of so many rows, behind their failure slots.
///
/// ```
/// | inputs | outputs | ticket | lane 0: slots, plan of a piece | lane 1 | … |
/// ```
///
/// @param piece the plan of a piece, whose batch is the most rows of one
/// @param rows most rows of a batch
/// @param inputs where the inputs of all rows are, dense and row-major, in the program's order
/// @param outputs likewise
/// @param ticket the counter of pieces that were taken
/// @param lanes the private arenas
/// @param slotBytes failure slots at the start of each of them
public record RowArena(
    Placement piece,
    long rows,
    List<Region> inputs,
    List<Region> outputs,
    Region ticket,
    List<Region> lanes,
    long slotBytes) {
  public RowArena {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    lanes = List.copyOf(lanes);
  }

  /// Bytes of the arena.
  ///
  /// @param offsetBytes a multiple of [Placement#ALIGNMENT_BYTES]
  public record Region(long offsetBytes, long sizeBytes) {
    /// One past the last byte.
    public long end() {
      return Math.addExact(offsetBytes, sizeBytes);
    }
  }

  /// Lays out the arena of a program of which each row of the results depends on the same rows of
  /// the inputs alone.
  ///
  /// @param rows most rows of a batch
  /// @param lanes at least 1
  /// @param slots bytes of the failure slots of a batch
  public static RowArena of(Program program, Placement piece, long rows, int lanes, Affine slots) {
    Layout layout = new Layout();
    List<Region> inputs = layout.take(program.body().parameters(), rows);
    List<Region> outputs = layout.take(program.body().results(), rows);
    Region ticket = layout.take(Placement.ALIGNMENT_BYTES);
    long slotBytes = aligned(slots.at(piece.batch()));
    List<Region> arenas = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      arenas.add(layout.take(laneBytes(piece, slotBytes)));
    }
    return new RowArena(piece, rows, inputs, outputs, ticket, arenas, slotBytes);
  }

  /// Lays out lanes alone, where inputs and outputs of the whole batch are elsewhere, and a piece's
  /// rows of them come to the lane.
  ///
  /// @param rows most rows of a batch
  /// @param lanes at least 1
  public static RowArena ofLanes(Placement piece, long rows, int lanes) {
    Layout layout = new Layout();
    Region none = layout.take(0);
    List<Region> arenas =
        Stream.generate(() -> layout.take(laneBytes(piece, 0))).limit(lanes).toList();
    return new RowArena(piece, rows, List.of(), List.of(), none, arenas, 0);
  }

  /// Bytes of a lane's arena.
  public static long laneBytes(Placement piece, long slotBytes) {
    return Math.addExact(slotBytes, aligned(piece.plannedBytes()));
  }

  /// Bytes of an input or output of `rows` rows.
  public static Affine bytes(Array array) {
    return array.index().elements().times(array.elementBytes());
  }

  /// Whether an input or output is whole rows of the batch, one after the other.
  public static boolean isMadeOfRows(Array array) {
    List<Affine> shape = array.index().shape();
    return !shape.isEmpty()
        && shape.getFirst().constant() == 0
        && shape.getFirst().perBatch() > 0
        && array.index().hasRowMajorStrides();
  }

  /// Whether rows of the inputs and outputs can stand in for the blocks of a plan: each has a block
  /// of its own, which has bytes for its rows and no other.
  public static boolean canStandIn(Program program) {
    Set<Block> blocks = new HashSet<>();
    return Stream.of(program.body().parameters(), program.body().results())
        .flatMap(List::stream)
        .allMatch(array -> isWholeBlock(array) && blocks.add(array.block()));
  }

  private static boolean isWholeBlock(Array array) {
    return array.block().space() == Block.Space.ARENA
        && array.offsetBytes().equals(Affine.ZERO)
        && array.block().sizeBytes().equals(bytes(array));
  }

  private static long aligned(long bytes) {
    return Alignment.up(bytes, Placement.ALIGNMENT_BYTES);
  }

  /// All bytes.
  public long sizeBytes() {
    return lanes.getLast().end();
  }

  /// Bytes of what the rows bring along and take away.
  public long stagedBytes() {
    return ticket.offsetBytes();
  }

  /* Regions one after the other. */
  private static final class Layout {
    private long end;

    Region take(long bytes) {
      Region region = new Region(end, aligned(bytes));
      end = region.end();
      return region;
    }

    List<Region> take(List<Array> arrays, long rows) {
      return arrays.stream().map(array -> take(bytes(array).at(rows))).toList();
    }
  }
}
