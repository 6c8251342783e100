package io.miniinference.repository;

import java.nio.file.AccessDeniedException;

/// A model repository that cannot be used.
public final class RepositoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message what is wrong with the repository
  public RepositoryException(String message) {
    super(message);
  }

  RepositoryException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether the process lacks the right to read it.
  public boolean isForWantOfRights() {
    return getCause() instanceof AccessDeniedException;
  }
}
