package io.miniinference.service.serving;

/// A request that ends with an error of the table.
public final class ServingException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final ErrorKind kind;

  public ServingException(ErrorKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public ErrorKind kind() {
    return kind;
  }
}
