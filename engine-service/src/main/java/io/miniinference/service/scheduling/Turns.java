package io.miniinference.service.scheduling;

import java.util.BitSet;
import java.util.List;

/// The batches that may run side by side on a model, one turn for each of its instances. A turn
/// takes no more rows than its instance. The queue's lock guards it.
final class Turns {
  static final int NONE = -1;

  private final int[] rows;
  private final BitSet taken = new BitSet();

  /// @param rows largest batch of each instance, smallest first
  Turns(List<Integer> rows) {
    this.rows = rows.stream().mapToInt(Integer::intValue).toArray();
  }

  /// Takes the smallest free turn that holds a request.
  ///
  /// @return which, [#NONE] if there is none
  int take(int needed) {
    int turn = taken.nextClearBit(0);
    while (turn < rows.length && needed > mostOf(turn)) {
      turn = taken.nextClearBit(turn + 1);
    }
    if (turn >= rows.length) {
      return NONE;
    }
    taken.set(turn);
    return turn;
  }

  /// Most rows of a request that a turn is for. One that is too large for all of them belongs to
  /// the last, whose instance says so.
  int mostOf(int turn) {
    return turn == rows.length - 1 ? Integer.MAX_VALUE : rows[turn];
  }

  /// Most rows of a turn's batch.
  int rows(int turn) {
    return rows[turn];
  }

  void free(int turn) {
    taken.clear(turn);
  }

  int taken() {
    return taken.cardinality();
  }
}
