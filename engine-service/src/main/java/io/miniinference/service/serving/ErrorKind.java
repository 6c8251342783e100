package io.miniinference.service.serving;

/// Why a request was not answered, and how each protocol says so: the one table of errors. The
/// statuses are those that Triton's clients know, but for bodies that are too large, too slow or of
/// an unknown encoding, for which HTTP has words of its own.
public enum ErrorKind {
  /// Malformed, or it does not fit its model, or its own data failed.
  INVALID(400, 3),
  /// The client did not say who it is, or is none of those who may.
  UNAUTHENTICATED(401, 16),
  /// There is no such model, version or page.
  NOT_FOUND(404, 5),
  /// The verb does not belong to the page.
  WRONG_VERB(405, 12),
  /// The body did not come fast enough.
  TOO_SLOW(408, 4),
  /// The pool has no room for a model that is to be loaded.
  NO_ROOM(409, 8),
  /// The body, or what is made of it, is longer than the service takes.
  TOO_LARGE(413, 8),
  /// The body is in an encoding that the service does not know.
  UNKNOWN_ENCODING(415, 12),
  /// The client asks more often than it may.
  TOO_MANY(429, 8),
  /// The client gave the request up.
  CANCELLED(400, 1),
  /// Not now: too many requests, a model that is not ready, memory that is short.
  UNAVAILABLE(503, 14),
  /// The whole pool is too small for a request of that shape: not at any time.
  TOO_SMALL_POOL(503, 8),
  /// A model whose load failed: not before somebody mends it.
  NOT_LOADED(503, 14),
  /// The request's own time ran out before it reached the device.
  EXPIRED(503, 4),
  /// What the protocol knows and this service does not do, or not as it is configured.
  UNSUPPORTED(501, 12),
  /// The device or the service failed.
  INTERNAL(500, 13);

  private final int httpStatus;
  private final int grpcCode;

  ErrorKind(int httpStatus, int grpcCode) {
    this.httpStatus = httpStatus;
    this.grpcCode = grpcCode;
  }

  /// The status of an HTTP response.
  public int httpStatus() {
    return httpStatus;
  }

  /// The number of the gRPC status code.
  public int grpcCode() {
    return grpcCode;
  }
}
