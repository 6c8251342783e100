package io.miniinference.service.scheduling;

/// A request whose client gave it up before it ran.
public final class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CancelledException() {
    super("the request was cancelled before it ran");
  }
}
