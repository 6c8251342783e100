package io.miniinference.plan;

import java.util.List;

/// What of a loop's memory moves from iteration to iteration. The host tells kernels where it is.
///
/// @param fewest iterations that there are at least, whatever the request
/// @param windows rows of its results
/// @param pointers parameters that are not where the loop's states lie in each iteration
/// @param alternations what iterations hand on where the state and a second place take turns
public record LoopBuffers(
    long fewest, List<Window> windows, List<Pointer> pointers, List<Alternation> alternations) {
  /// Nothing does.
  public static final LoopBuffers NONE = new LoopBuffers(0, List.of(), List.of());

  public LoopBuffers {
    windows = List.copyOf(windows);
    pointers = List.copyOf(pointers);
    alternations = List.copyOf(alternations);
  }

  /// A loop in which nothing takes turns.
  public LoopBuffers(long fewest, List<Window> windows, List<Pointer> pointers) {
    this(fewest, windows, pointers, List.of());
  }

  /// A parameter that the first iteration reads where the initial value lies, so that this need not
  /// be copied to where the others read it: where the iteration before has left it. Elsewhere than
  /// in the state it lies only if the loop has a first iteration.
  ///
  /// @param block what has the place of either; its arrays start at its first byte
  /// @param first the initial value
  /// @param next what an iteration hands to the next
  public record Pointer(Block block, Array first, Array next) {}

  /// Memory in which an iteration makes what the next one reads, while it still reads what the one
  /// before has made: one of two places, by turns, so that nobody copies it at the end of each
  /// iteration. Only after the last one, if that was an even one, counted from 0, it is copied
  /// once.
  ///
  /// @param block what has the place of either, from its first byte on
  /// @param even where it is in even iterations
  /// @param odd where it is in odd ones: in the loop's state
  /// @param copy number of the body's step that copies from here to the state
  public record Alternation(Block block, Array even, Array odd, int copy) {}

  /// A row of a result that is made of rows: that of the current iteration.
  ///
  /// @param block what has the place of the row
  /// @param rows all of them; their axis 0 is the iteration
  public record Window(Block block, Array rows) {

    /// Whether the step is the one at which what lies in the window becomes one of the rows: it
    /// launches nothing, and from then on nothing may be written there in this iteration.
    public boolean isWholeAt(Step step) {
      return step.kind() != Step.Kind.VIEW
          && step.reads().stream().anyMatch(a -> a.block().id() == block.id())
          && step.writes().stream().anyMatch(a -> a.block().id() == rows.block().id());
    }

    /// Whether the window can move through the rows where they lie now: they follow each other
    /// without gaps, and start where kernels may read vectors if there are any.
    ///
    /// @param vectorBytes see [TargetConstraints#vectorBytes]
    public boolean isReached(Array there, int vectorBytes) {
      return there.index().hasRowMajorStrides()
          && (!isAligned(vectorBytes) || there.offsetBytes().isMultipleOf(vectorBytes));
    }

    /// Whether each row starts where kernels may read vectors. Otherwise no value but a copy of one
    /// lies there, since of a part of it a kernel would think so.
    public boolean isAligned(int vectorBytes) {
      return block.sizeBytes().isMultipleOf(vectorBytes);
    }
  }
}
