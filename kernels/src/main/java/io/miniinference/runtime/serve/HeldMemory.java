package io.miniinference.runtime.serve;

/// What a model holds of the pool.
public interface HeldMemory extends AutoCloseable {

  /// Bytes on the model's account: what it shares with others is on the account of one of them.
  long bytes();

  /// Gives back what no other model uses. Closing again does nothing.
  @Override
  void close();
}
