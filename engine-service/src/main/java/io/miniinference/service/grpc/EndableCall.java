package io.miniinference.service.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/// A call that one thread may end while another answers it: what is sent after its end goes
/// nowhere. gRPC for Java takes that for a defect of the service.
final class EndableCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
  private boolean ended;

  EndableCall(ServerCall<Q, A> call) {
    super(call);
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!ended) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(A message) {
    if (!ended) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!ended) {
      ended = true;
      super.close(status, trailers);
    }
  }
}
