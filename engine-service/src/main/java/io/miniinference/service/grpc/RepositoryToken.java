package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/// Takes the metadata `authorization` of each call along to where it is asked for.
@Component
@GlobalServerInterceptor
final class RepositoryToken implements ServerInterceptor {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> AUTHORIZATION = Context.key("authorization");

  /// That of the current call, null if it has none.
  static @Nullable String current() {
    return AUTHORIZATION.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String authorization = headers.get(HEADER);
    return authorization == null
        ? next.startCall(call, headers)
        : Contexts.interceptCall(
            Context.current().withValue(AUTHORIZATION, authorization), call, headers, next);
  }
}
