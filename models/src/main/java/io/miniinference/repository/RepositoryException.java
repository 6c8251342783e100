package io.miniinference.repository;

import java.nio.file.AccessDeniedException;

/// A model repository that cannot be used.
public final class RepositoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What helps where the process lacks the right ([#isForWantOfRights]).
  public static final String GIVE_RIGHTS =
      "Give the user of this process the right to read it and what lies in it (chmod -R a+rX).";

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
