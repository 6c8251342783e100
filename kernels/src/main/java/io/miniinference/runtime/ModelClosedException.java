package io.miniinference.runtime;

/// A request for a model that is being unloaded, or that has been: nothing ran.
public final class ModelClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public ModelClosedException() {
    super("the model is being unloaded");
  }
}
