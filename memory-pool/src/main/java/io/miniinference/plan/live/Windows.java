package io.miniinference.plan.live;

import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rows of loops' results in which values may be built, each the row of the current iteration.
///
/// @param byBlock each with the enter and exit tick of its loop, by its block
/// @param byRows by the block that they move through
public record Windows(Map<Integer, Turn> byBlock, Map<Integer, List<LoopBuffers.Window>> byRows) {

  /// A window, the ticks of its loop, and that at which what lies in it becomes one of the rows.
  private record Turn(LoopBuffers.Window window, LiveRange loop, int whole) {
    boolean holds(Definition content) {
      return new LiveRange(content.first(), content.last())
              .strictlyInside(loop.first(), loop.last())
          && content.first() < whole;
    }
  }

  public static Windows of(Lifetimes lifetimes) {
    Windows windows = new Windows(new HashMap<>(), new HashMap<>());
    for (TimedStep timed : lifetimes.steps()) {
      LiveRange loop = new LiveRange(timed.enter(), timed.exit());
      for (Body body : timed.step().bodies()) {
        for (LoopBuffers.Window window : body.motion().windows()) {
          windows.add(new Turn(window, loop, whole(window, lifetimes)));
        }
      }
    }
    return windows;
  }

  private static int whole(LoopBuffers.Window window, Lifetimes lifetimes) {
    return lifetimes.steps().stream()
        .filter(timed -> window.isWholeAt(timed.step()))
        .mapToInt(TimedStep::enter)
        .findFirst()
        .orElseThrow();
  }

  private void add(Turn turn) {
    byBlock.put(turn.window.block().id(), turn);
    byRows
        .computeIfAbsent(turn.window.rows().block().id(), _ -> new ArrayList<>())
        .add(turn.window);
  }

  /// Whether a block is no window, or each of some contents is made before the row is whole, and
  /// used up in one iteration.
  public boolean holds(int block, List<Definition> contents) {
    Turn turn = byBlock.get(block);
    return turn == null || contents.stream().allMatch(turn::holds);
  }

  /// Whether a block is no window, or values may be built in it.
  public boolean takesValues(int block, int vectorBytes) {
    Turn turn = byBlock.get(block);
    return turn == null || turn.window.isAligned(vectorBytes);
  }

  /// The windows that move through a block.
  public List<LoopBuffers.Window> through(int block) {
    return byRows.getOrDefault(block, List.of());
  }
}
