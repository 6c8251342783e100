package io.miniinference.lower;

import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import java.util.List;

/// One launch that takes the rows of a batch through a whole program, piece by piece: each of its
/// work items is a lane. Its kernel computes single steps, too, in launches of their own.
///
/// @param kernel its name in the program
/// @param steps its functions, one for each launch of a single step
/// @param number the entry of a binding that tells the kernel to take all steps
/// @param table entries of which the kernel finds the values in a table, in this order
/// @param places entries that the arena decides
public record RowLaunch(
    RowPiece piece,
    String kernel,
    List<String> steps,
    int number,
    List<Integer> table,
    Places places) {
  public RowLaunch {
    steps = List.copyOf(steps);
    table = List.copyOf(table);
  }

  /// Entries of a binding for places of an arena.
  ///
  /// @param table where the table is
  /// @param ticket where the counter of pieces taken is, which must be 0 when the launch begins
  /// @param lanes where the first lane's arena is
  /// @param inputs per input of the model where all of its rows are
  /// @param outputs likewise
  public record Places(
      int table, int ticket, int lanes, List<Integer> inputs, List<Integer> outputs) {
    public Places {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
    }
  }

  /// The launch in an arena with so many lanes.
  public Launch in(int lanes) {
    Launch.Items work = new Launch.Items(Affine.N, piece.rowsPerLane(), 1, 1, lanes);
    return new Launch(kernel, List.of(number, places.table), work);
  }

  /// The table for a binding.
  public long[] tableOf(long[] offsets) {
    return table.stream().mapToLong(entry -> offsets[entry]).toArray();
  }
}
