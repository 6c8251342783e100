package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/// Whether a request that fails ends its stream, with the status of the failure: a client of Triton
/// asks for that with the metadata `triton_grpc_error: true`. Without it, the request's answer has
/// the message, and the stream goes on.
@Component
@GlobalServerInterceptor
final class StreamErrors implements ServerInterceptor {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("triton_grpc_error", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<Boolean> END_STREAM = Context.key("triton_grpc_error");

  /// Whether the stream of the current call ends with the first request that fails.
  static boolean endStream() {
    return Boolean.TRUE.equals(END_STREAM.get());
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    boolean isStream = call.getMethodDescriptor().getType() == MethodType.BIDI_STREAMING;
    return isStream && "true".equals(headers.get(HEADER))
        ? Contexts.interceptCall(Context.current().withValue(END_STREAM, true), call, headers, next)
        : next.startCall(call, headers);
  }
}
