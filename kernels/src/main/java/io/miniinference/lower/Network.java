package io.miniinference.lower;

import java.util.List;
import java.util.Optional;

/// A kernel that computes any step of a program, and finds in a table in the arena what the step
/// works on, since a launch costs the more the more arguments it takes.
///
/// @param kernel its name in the program
/// @param steps its functions, one for each launch of a single step
/// @param rows the launch that takes a batch row by row in place of all others, if there is one
/// @param shared the launch whose steps all workers share, in place of all others, if there is one
public record Network(
    String kernel,
    List<String> steps,
    Table table,
    Optional<RowLaunch> rows,
    Optional<SharedLaunch> shared) {
  public Network {
    steps = List.copyOf(steps);
  }

  /// Values of entries of a binding, one after the other.
  ///
  /// @param place the entry that tells where the table is
  /// @param entries of which the kernel finds the values in the table, in this order
  public record Table(int place, List<Integer> entries) {
    public Table {
      entries = List.copyOf(entries);
    }

    /// The table for a binding.
    public long[] of(long[] offsets) {
      return entries.stream().mapToLong(entry -> offsets[entry]).toArray();
    }

    /// Bytes that it takes.
    public long bytes() {
      return (long) entries.size() * Long.BYTES;
    }
  }
}
