package io.miniinference.service.serving;

import io.miniinference.device.DeviceException;
import io.miniinference.device.NoDiskException;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.service.admission.OverloadedException;
import io.miniinference.service.catalog.ModelNotReadyException;
import io.miniinference.service.catalog.UnknownModelException;
import io.miniinference.service.engine.DeviceLostException;
import io.miniinference.service.scheduling.CancelledException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a client is told of an exception: its kind, and a message that shows no internals.
public record Failure(ErrorKind kind, String message) {
  private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

  /// Characters of a message that are told; more come only from names that a request brings, and
  /// headers, which bring messages over gRPC, have a bound.
  private static final int MOST_CHARACTERS = 2_000;

  public Failure {
    if (message.length() > MOST_CHARACTERS) {
      message = message.substring(0, MOST_CHARACTERS) + "…";
    }
  }

  /// The failure that an exception means, which is logged if it is the service's fault.
  ///
  /// @param where what was being answered, for the log
  public static Failure of(Throwable error, String where) {
    ErrorKind kind = kind(error);
    if (kind != ErrorKind.INTERNAL || error instanceof ServingException) {
      return new Failure(kind, String.valueOf(error.getMessage()));
    }
    if (error instanceof DeviceException) {
      LOG.error("the device failed: {}", error.getMessage());
      return new Failure(kind, "the device failed: " + error.getMessage());
    }
    LOG.error("defect while answering {}", where, error);
    return new Failure(kind, "the service failed (" + error.getClass().getSimpleName() + ")");
  }

  /// The kind of an exception.
  public static ErrorKind kind(Throwable error) {
    return switch (error) {
      case ServingException serving -> serving.kind();
      case InvalidRequestException _, RequestFailedException _ -> ErrorKind.INVALID;
      case UnknownModelException _ -> ErrorKind.NOT_FOUND;
      case OverloadedException overloaded ->
          switch (overloaded.reason()) {
            case RATE -> ErrorKind.TOO_MANY;
            case TOO_LARGE -> ErrorKind.TOO_LARGE;
            case FULL, RESTING -> ErrorKind.UNAVAILABLE;
          };
      case LoadRefusedException refused when refused.isForGood() -> ErrorKind.TOO_SMALL_POOL;
      case ModelNotReadyException model when model.isForGood() -> ErrorKind.NOT_LOADED;
      case ModelNotReadyException _, LoadRefusedException _ -> ErrorKind.UNAVAILABLE;
      case DeviceLostException _, ModelClosedException _, NoDiskException _ ->
          ErrorKind.UNAVAILABLE;
      case AbandonedRequestException _ -> ErrorKind.EXPIRED;
      case CancelledException _ -> ErrorKind.CANCELLED;
      default -> ErrorKind.INTERNAL;
    };
  }
}
