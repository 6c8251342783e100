package io.miniinference.service.scheduling;

/// Who set how long a request waits at most, which decides what its client can do about it.
public enum Patience {
  /// The request itself.
  REQUEST(
      "its parameter timeout is shorter than the wait for its turn. Send a larger one, in"
          + " microseconds, or 0 to wait as long as it takes"),
  /// The call of gRPC that it came with.
  CALL("it was that of its gRPC call. Give the call more time, or none"),
  /// The service, for all requests of its model.
  MODEL(
      "the service lets requests of its model wait no longer (resilience4j.timelimiter). Try again"
          + " when it has less to do");

  private final String remedy;

  Patience(String remedy) {
    this.remedy = remedy;
  }

  /// Why a request was given up whose time was over.
  String over() {
    return "the request's deadline passed before it ran: " + remedy;
  }
}
