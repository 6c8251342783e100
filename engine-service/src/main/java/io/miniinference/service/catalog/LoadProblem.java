package io.miniinference.service.catalog;

import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.service.config.SettingsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Why a model is not loaded, in the words that its users read.
final class LoadProblem {
  private static final Logger LOG = LoggerFactory.getLogger(LoadProblem.class);

  private LoadProblem() {}

  /// The text for whatever a load ended with. A defect of the engine goes to the log, too.
  static String of(String model, Throwable why) {
    return switch (why) {
      case ModelException e -> String.valueOf(e.getMessage());
      case LoadRefusedException e -> withoutName(model, String.valueOf(e.getMessage()));
      case InvalidRequestException e -> String.valueOf(e.getMessage());
      case SettingsException e -> String.valueOf(e.getMessage());
      case DeviceException e -> String.valueOf(e.getMessage());
      case InterruptedException _ -> "the service ended before it was loaded";
      case StackOverflowError _ -> "its graph is nested too deeply";
      case OutOfMemoryError e -> "the JVM's heap is too small for it: " + e.getMessage();
      default -> {
        LOG.error("defect while loading model '{}'", model, why);
        yield "defect of the engine: " + why.getMessage();
      }
    };
  }

  /* It stands before the text, wherever that is shown. */
  private static String withoutName(String model, String text) {
    String name = "model '" + model + "' ";
    return text.startsWith(name) ? text.substring(name.length()) : text;
  }
}
