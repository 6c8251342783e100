package io.miniinference.bench.peer;

/// A peer that cannot do what it was asked for. The rest of the run goes on without it.
public final class PeerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public PeerException(String message) {
    super(message);
  }

  public PeerException(String message, Throwable cause) {
    super(message, cause);
  }
}
