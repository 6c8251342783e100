package io.miniinference.schedule;

/// The loops of a run took more iterations than a run may.
public final class LoopLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LoopLimitException(String node, String op, long limit) {
    super(
        "node '%s' (%s): goes on after %,d iterations, the most that the loops of a request may take together; engine.loops.max-iterations raises it"
            .formatted(node, op, limit));
  }
}
