package io.miniinference.service.trace;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/// Takes the trace and the identity of a gRPC call into log lines and the answer's headers. Does
/// nothing for a call that has neither.
@Component
@GlobalServerInterceptor
final class TraceInterceptor implements ServerInterceptor {
  static final Metadata.Key<String> TRACE = key(TraceContext.HEADER);
  static final Metadata.Key<String> REQUEST = key("x-request-id");

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    @Nullable TraceContext trace =
        TraceContext.of(headers.get(TRACE)).map(TraceContext::child).orElse(null);
    String id = RequestId.of(headers.get(REQUEST));
    if (trace == null && id == null) {
      return next.startCall(call, headers);
    }
    return new Told<>(next.startCall(new Telling<>(call, trace, id), headers), trace, id);
  }

  /// Sends both back.
  private static final class Telling<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final @Nullable TraceContext trace;
    private final @Nullable String id;

    Telling(ServerCall<Q, R> call, @Nullable TraceContext trace, @Nullable String id) {
      super(call);
      this.trace = trace;
      this.id = id;
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (trace != null) {
        headers.put(TRACE, trace.header());
      }
      if (id != null) {
        headers.put(REQUEST, id);
      }
      super.sendHeaders(headers);
    }
  }

  /// Has both in the log while the call is served.
  private static final class Told<Q> extends SimpleForwardingServerCallListener<Q> {
    private final @Nullable TraceContext trace;
    private final @Nullable String id;

    Told(ServerCall.Listener<Q> listener, @Nullable TraceContext trace, @Nullable String id) {
      super(listener);
      this.trace = trace;
      this.id = id;
    }

    @Override
    public void onMessage(Q message) {
      try (LogContext _ = LogContext.of(trace, id)) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      try (LogContext _ = LogContext.of(trace, id)) {
        super.onHalfClose();
      }
    }
  }
}
