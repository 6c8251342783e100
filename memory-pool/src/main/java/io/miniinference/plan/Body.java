package io.miniinference.plan;

import java.util.List;

/// A sequence of steps with its own parameters and results: a whole program, a branch of an `If`,
/// the body of a `Loop`.
///
/// @param name prefix of the names inside, empty for the program
/// @param kind how often it runs, which decides what is live across it
/// @param parameters arrays that exist when it starts (request inputs, loop state)
/// @param results arrays that must be whole when it ends
/// @param motion of a loop: what lies elsewhere in each iteration
public record Body(
    String name,
    Kind kind,
    List<Array> parameters,
    List<Step> steps,
    List<Array> results,
    LoopBuffers motion) {
  public Body {
    parameters = List.copyOf(parameters);
    steps = List.copyOf(steps);
    results = List.copyOf(results);
  }

  /// A body in which nothing moves.
  public Body(
      String name, Kind kind, List<Array> parameters, List<Step> steps, List<Array> results) {
    this(name, kind, parameters, steps, results, LoopBuffers.NONE);
  }

  /// How often a body runs.
  public enum Kind {
    ONCE,
    /// At most once: one of the branches of its step.
    BRANCH,
    /// Any number of times; parameter `i` is result `i` of the iteration before.
    LOOP
  }
}
