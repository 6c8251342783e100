package io.miniinference.service.grpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.serving.Failure;
import java.util.function.Supplier;

/// Sends the one answer of a call, or the status of what went wrong.
final class Replies {
  private Replies() {}

  static <T> void send(StreamObserver<T> to, Supplier<T> answer) {
    T message;
    try {
      message = answer.get();
    } catch (RuntimeException | Error e) {
      to.onError(status(e));
      return;
    }
    to.onNext(message);
    to.onCompleted();
  }

  static StatusRuntimeException status(Throwable error) {
    return status(Failure.of(error, "a gRPC call"));
  }

  static StatusRuntimeException status(Failure failure) {
    return Status.fromCodeValue(failure.kind().grpcCode())
        .withDescription(failure.message())
        .asRuntimeException();
  }
}
