package io.miniinference.service.serving;

import io.miniinference.runtime.RequestFailedException;

/// How a request ended, in the words of the meters.
enum Outcome {
  SUCCESS,
  /// It did not fit the model, or was malformed.
  INVALID,
  /// Its own data failed on the device, such as an index out of bounds.
  FAILED,
  /// It was not let in.
  REFUSED,
  /// Its time ran out before it reached the device.
  EXPIRED,
  /// Its client gave it up.
  CANCELLED,
  /// The device or the service failed.
  ERROR;

  static Outcome of(RuntimeException error) {
    if (error instanceof RequestFailedException) {
      return FAILED;
    }
    return switch (Failure.kind(error)) {
      case INVALID,
          UNAUTHENTICATED,
          NO_ROOM,
          NOT_FOUND,
          WRONG_VERB,
          TOO_SLOW,
          TOO_LARGE,
          UNKNOWN_ENCODING,
          UNSUPPORTED ->
          INVALID;
      case CANCELLED -> CANCELLED;
      case EXPIRED -> EXPIRED;
      case UNAVAILABLE, NOT_LOADED, TOO_SMALL_POOL, TOO_MANY -> REFUSED;
      case INTERNAL -> ERROR;
    };
  }
}
