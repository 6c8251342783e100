package io.miniinference.repository;

/// A model repository that cannot be used.
public final class RepositoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RepositoryException(String message) {
    super(message);
  }

  RepositoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
