package io.miniinference.schedule;

import io.miniinference.ir.Node;
import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.LoopBuffers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a run launches, in order: launches, and the steps whose bodies are such sequences.
public sealed interface Schedule {

  /// The launch of a step.
  ///
  /// @param step its number
  /// @param timed whether its kernel takes the clock
  record Run(int step, boolean timed) implements Schedule {}

  /// A body's sequence, with what the host works out of its graph.
  record Part(HostScope scope, List<Schedule> steps) {
    public Part {
      steps = List.copyOf(steps);
    }
  }

  /// An If.
  ///
  /// @param condition null if both bodies are launched, and each kernel of theirs looks at the
  ///   condition for itself
  record Branch(Node node, @Nullable Decision condition, Part then, Part otherwise)
      implements Schedule {}

  /// An iteration of a loop that was unrolled: its body, once.
  ///
  /// @param iteration its number
  record Once(Node node, int iteration, Part body) implements Schedule {}

  /// A Loop.
  ///
  /// @param step its number
  /// @param trips most iterations
  /// @param first whether there is a first iteration
  /// @param goesOn in the body: whether there is another one
  /// @param windows rows that move with the iteration
  /// @param pointers what lies elsewhere in the first iteration
  /// @param alternations what lies in two places by turns
  record Repeat(
      int step,
      Node node,
      Decision trips,
      Decision first,
      Decision goesOn,
      Part body,
      List<Window> windows,
      List<Pointer> pointers,
      List<Alternation> alternations)
      implements Schedule {
    public Repeat {
      windows = List.copyOf(windows);
      pointers = List.copyOf(pointers);
      alternations = List.copyOf(alternations);
    }

    /// A loop that is not planned yet.
    public Repeat(int step, Node node, Decision trips, Decision first, Decision goesOn, Part body) {
      this(step, node, trips, first, goesOn, body, List.of(), List.of(), List.of());
    }

    /// The same where a plan has put its arrays.
    public Repeat with(
        Decision otherTrips,
        Decision otherFirst,
        Decision otherGoesOn,
        Part otherBody,
        LoopBuffers motion) {
      return new Repeat(
          step,
          node,
          otherTrips,
          otherFirst,
          otherGoesOn,
          otherBody,
          motion.windows().stream().map(Window::of).toList(),
          motion.pointers().stream().map(Pointer::of).toList(),
          motion.alternations().stream().map(Alternation::of).toList());
    }
  }

  /// A place in memory.
  ///
  /// @param entry of the binding
  /// @param bytes from there on
  record Place(int entry, Affine bytes) {
    static Place of(Array array) {
      return new Place(array.block().id(), array.offsetBytes());
    }
  }

  /// Memory that moves from iteration to iteration: an entry of the binding that is `stepBytes`
  /// further on in each.
  ///
  /// @param first where it is in iteration 0
  record Window(int entry, Place first, Affine stepBytes) {
    private static Window of(LoopBuffers.Window window) {
      return new Window(window.block().id(), Place.of(window.rows()), window.block().sizeBytes());
    }
  }

  /// An entry of the binding that is `first` in the first iteration, and in each other one what
  /// `next` was in the one before.
  record Pointer(int entry, Place first, Place next) {
    private static Pointer of(LoopBuffers.Pointer pointer) {
      return new Pointer(pointer.block().id(), Place.of(pointer.first()), Place.of(pointer.next()));
    }
  }

  /// An entry of the binding that is `even` in even iterations and `odd` in odd ones.
  ///
  /// @param copy number of the step to launch after the last iteration if that was an even one
  record Alternation(int entry, Place even, Place odd, int copy) {
    private static Alternation of(LoopBuffers.Alternation each) {
      return new Alternation(
          each.block().id(), Place.of(each.even()), Place.of(each.odd()), each.copy());
    }
  }

  /// How often a run waits for the device besides its end, each place counted once: a loop that
  /// waits, waits in each of its iterations.
  static int waits(List<Schedule> steps) {
    int waits = 0;
    for (Schedule step : steps) {
      waits +=
          switch (step) {
            case Run _ -> 0;
            case Branch branch ->
                count(branch.condition) + waits(branch.then.steps) + waits(branch.otherwise.steps);
            case Once once -> waits(once.body.steps);
            case Repeat repeat -> waits(repeat);
          };
    }
    return waits;
  }

  private static int waits(Repeat repeat) {
    int before = Math.max(count(repeat.trips), count(repeat.first));
    return before + count(repeat.goesOn) + waits(repeat.body.steps);
  }

  private static int count(@Nullable Decision decision) {
    return decision != null && decision.waits() ? 1 : 0;
  }
}
