package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Task;

/// Computes an operator's result at one index.
@FunctionalInterface
interface Producer {

  /// Puts the result at the cursor's index into [Cursor#real] or [Cursor#whole].
  void produce(Cursor cursor);

  /// An operator whose result at an index depends on no neighbour.
  interface Factory {
    public Producer bind(Task task);
  }
}
