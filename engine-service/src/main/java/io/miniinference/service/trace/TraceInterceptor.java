package io.miniinference.service.trace;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/// Takes the trace and the identity of a gRPC call into log lines, the answer's headers and the
/// span that is recorded of an inference. Does nothing for a call that has none of them.
@Component
@GlobalServerInterceptor
final class TraceInterceptor implements ServerInterceptor {
  static final Metadata.Key<String> TRACE = key(TraceContext.HEADER);
  static final Metadata.Key<String> REQUEST = key("x-request-id");

  private static final Set<Status.Code> FAILURES =
      EnumSet.of(
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.UNAVAILABLE,
          Status.Code.DATA_LOSS,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.UNIMPLEMENTED);

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private final Spans spans;

  TraceInterceptor(Spans spans) {
    this.spans = spans;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Traced traced =
        Traced.of(
            headers.get(TRACE), headers.get(REQUEST), nameOf(call.getMethodDescriptor()), spans);
    return traced.isNothing()
        ? next.startCall(call, headers)
        : new Told<>(next.startCall(new Telling<>(call, traced), headers), traced);
  }

  /* Of inferences, which may be recorded. */
  private static @Nullable String nameOf(MethodDescriptor<?, ?> method) {
    String name = method.getFullMethodName();
    return name.startsWith("inference.") && name.endsWith("Infer") ? name : null;
  }

  /// Sends both back, and ends what is recorded of the call.
  private static final class Telling<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final Traced traced;

    Telling(ServerCall<Q, R> call, Traced traced) {
      super(call);
      this.traced = traced;
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (traced.trace() != null) {
        headers.put(TRACE, traced.trace().header());
      }
      if (traced.id() != null) {
        headers.put(REQUEST, traced.id());
      }
      super.sendHeaders(headers);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(status, trailers);
      traced.end(
          "rpc.grpc.status_code", status.getCode().name(), FAILURES.contains(status.getCode()));
    }
  }

  /// Has both in the log, and the span at hand, while the call is served.
  private static final class Told<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Traced traced;

    Told(ServerCall.Listener<Q> listener, Traced traced) {
      super(listener);
      this.traced = traced;
    }

    @Override
    public void onMessage(Q message) {
      try (LogContext _ = LogContext.of(traced)) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      try (LogContext _ = LogContext.of(traced)) {
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      super.onCancel();
      traced.end("rpc.grpc.status_code", Status.Code.CANCELLED.name(), false);
    }
  }
}
