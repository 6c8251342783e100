package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import java.util.List;

/// One launch that takes the rows of a batch through a whole program, piece by piece: each of its
/// work items is a lane.
///
/// @param kernel its name in the program
/// @param arguments entries of a binding: which tells the kernel to take all steps, and where its
///   table is
/// @param places entries that the arena decides
public record RowLaunch(RowPiece piece, String kernel, List<Integer> arguments, Places places) {
  /// A bit of an entry's value that makes it a place in the arena of a lane, whichever that is. No
  /// pool is so large.
  public static final long IN_LANE = Long.MIN_VALUE;

  public RowLaunch {
    arguments = List.copyOf(arguments);
  }

  /// Entries of a binding for places of an arena.
  ///
  /// @param ticket where the counter of pieces taken is, which must be 0 when the launch begins
  /// @param lanes where the first lane's arena is
  /// @param slots where the failure slots of the batch are
  /// @param inputs per input of the model where all of its rows are
  /// @param outputs likewise
  public record Places(
      int ticket, int lanes, int slots, List<Integer> inputs, List<Integer> outputs) {
    public Places {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /// The launch in an arena with so many lanes.
  public Launch in(int lanes) {
    Launch.Items work = new Launch.Items(Affine.N, piece.rowsPerLane(), 1, 1, lanes);
    return new Launch(kernel, arguments, work);
  }
}
