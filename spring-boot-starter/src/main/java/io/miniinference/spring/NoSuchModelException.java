package io.miniinference.spring;

/// A model that an application names and its repository does not have.
final class NoSuchModelException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  NoSuchModelException(String message) {
    super(message);
  }
}
