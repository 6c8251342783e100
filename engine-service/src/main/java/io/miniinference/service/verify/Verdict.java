package io.miniinference.service.verify;

import java.util.List;

/// How a model of a suite did.
///
/// @param problem why it failed, on one line; empty if it passed
/// @param missing operators that the engine does not know, if that is why
public record Verdict(String name, String problem, List<String> missing) {
  public Verdict {
    missing = List.copyOf(missing);
  }

  static Verdict passed(String name) {
    return new Verdict(name, "", List.of());
  }

  public boolean isPassed() {
    return problem.isEmpty();
  }
}
