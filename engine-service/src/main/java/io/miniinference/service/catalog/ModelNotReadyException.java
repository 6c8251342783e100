package io.miniinference.service.catalog;

/// A request for a model that is still loading, or that failed to load.
public final class ModelNotReadyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isForGood;

  /// @param isForGood whether it stays so until somebody mends the model
  ModelNotReadyException(String name, String version, String why, boolean isForGood) {
    super("model '" + name + "' version " + version + " is not at ready state: " + why);
    this.isForGood = isForGood;
  }

  /// Whether a request has nothing to come again for.
  public boolean isForGood() {
    return isForGood;
  }
}
