package io.miniinference.service.catalog;

/// A request for a model that is still loading, or that failed to load.
public final class ModelNotReadyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ModelNotReadyException(String name, String version, String why) {
    super("model '" + name + "' version " + version + " is not at ready state: " + why);
  }
}
