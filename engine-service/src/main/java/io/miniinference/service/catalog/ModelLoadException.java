package io.miniinference.service.catalog;

import io.miniinference.device.NoDiskException;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.service.config.SettingsException;

/// A model that was asked for could not be loaded; what was served before still is.
public final class ModelLoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What kept a model from being loaded.
  public enum Reason {
    /// The model itself, or what is set for it.
    MODEL,
    /// The pool has no room for it.
    NO_ROOM,
    /// The device or the engine failed.
    ENGINE
  }

  private final Reason reason;

  private ModelLoadException(String message, Reason reason, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /// Of whatever the load of a model ended with.
  static ModelLoadException of(String model, Throwable why) {
    return new ModelLoadException(
        "failed to load '" + model + "': " + LoadProblem.of(model, why), reason(why), why);
  }

  private static Reason reason(Throwable why) {
    return switch (why) {
      case LoadRefusedException _, NoDiskException _ -> Reason.NO_ROOM;
      case ModelException _, InvalidRequestException _, SettingsException _ -> Reason.MODEL;
      case StackOverflowError _ -> Reason.MODEL;
      default -> Reason.ENGINE;
    };
  }

  public Reason reason() {
    return reason;
  }
}
