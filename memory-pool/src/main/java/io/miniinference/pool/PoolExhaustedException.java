package io.miniinference.pool;

/// A refusal, thrown by callers that cannot go on without the memory.
public final class PoolExhaustedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // a record of numbers and text; exceptions of the pool are not stored
  private final Refusal refusal;

  PoolExhaustedException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  /// The refused request and the pool's figures at that moment.
  public Refusal refusal() {
    return refusal;
  }
}
