package io.miniinference.service.grpc;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.stereotype.Component;

/// Tells a client that its message is no message of the protocol. gRPC for Java takes what a
/// message cannot be read from for a failure of the service, with a stack trace in the log: here
/// such a message is read as [Malformed], and its call ended. What came before it on a stream is
/// answered first.
@Component
final class MalformedMessages implements BeanPostProcessor {

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof GrpcServiceConfigurer configurer
        ? (GrpcServiceConfigurer)
            (service, server) -> refusing(configurer.configure(service, server))
        : bean;
  }

  /// What came in place of a message.
  private record Malformed(Status why) {}

  private static ServerServiceDefinition refusing(ServerServiceDefinition service) {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName())
            .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
    List<ServerMethodDefinition<Object, ?>> methods = new ArrayList<>();
    service.getMethods().forEach(method -> methods.add(refusing(method)));
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(all::addMethod);
    return all.build();
  }

  private static <Q, A> ServerMethodDefinition<Object, A> refusing(
      ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> known = method.getMethodDescriptor();
    Reader<Q> reader = new Reader<>(known);
    return ServerMethodDefinition.create(
        known.toBuilder(reader, known.getResponseMarshaller()).build(),
        (call, headers) -> {
          var knownCall = new KnownCall<>(call, known);
          return new Refusing<>(
              knownCall, method.getServerCallHandler().startCall(knownCall, headers), reader);
        });
  }

  /* The call as the service knows it. */
  private static final class KnownCall<Q, A> extends ForwardingServerCall<Q, A> {
    private final ServerCall<Object, A> call;
    private final MethodDescriptor<Q, A> method;
    private volatile @Nullable Status refusal;

    KnownCall(ServerCall<Object, A> call, MethodDescriptor<Q, A> method) {
      this.call = call;
      this.method = method;
    }

    @Override
    @SuppressWarnings("unchecked") // of requests, it knows but the method
    protected ServerCall<Q, A> delegate() {
      return (ServerCall<Q, A>) (ServerCall<?, A>) call;
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
      return method;
    }

    /// Has the call end with a status once the service ends it.
    void refuse(Status why) {
      refusal = why;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(Objects.requireNonNullElse(refusal, status), trailers);
    }
  }

  /* Ends the call with the first message that is none, and keeps what follows from the service. */
  private static final class Refusing<Q> extends ServerCall.Listener<Object> {
    private final KnownCall<Q, ?> call;
    private final ServerCall.Listener<Q> listener;
    private final Reader<Q> reader;
    private boolean refused;

    Refusing(KnownCall<Q, ?> call, ServerCall.Listener<Q> listener, Reader<Q> reader) {
      this.call = call;
      this.listener = listener;
      this.reader = reader;
    }

    @Override
    public void onMessage(Object message) {
      if (refused) {
        return;
      }
      if (message instanceof Malformed malformed) {
        refused = true;
        refuse(malformed.why());
      } else {
        listener.onMessage(reader.message(message));
      }
    }

    /* To the service, a stream is at its end. */
    private void refuse(Status why) {
      if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
        call.close(why, new Metadata());
      } else {
        call.refuse(why);
        listener.onHalfClose();
      }
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        listener.onHalfClose();
      }
    }

    @Override
    public void onReady() {
      if (!refused) {
        listener.onReady();
      }
    }

    @Override
    public void onCancel() {
      listener.onCancel();
    }

    @Override
    public void onComplete() {
      listener.onComplete();
    }
  }

  /* Reads what may be no message. */
  private record Reader<Q>(MethodDescriptor<Q, ?> method)
      implements MethodDescriptor.Marshaller<Object> {
    @Override
    public InputStream stream(Object message) {
      return method.streamRequest(message(message));
    }

    @Override
    public Object parse(InputStream bytes) {
      try {
        return method.parseRequest(bytes);
      } catch (StatusRuntimeException e) {
        return new Malformed(refusal(e.getStatus()));
      }
    }

    /* One that grows too long as it is decompressed is told as one that comes too long. */
    private static Status refusal(Status read) {
      return read.getCode() == Status.Code.RESOURCE_EXHAUSTED
          ? read
          : Status.INVALID_ARGUMENT.withDescription(String.valueOf(read.getDescription()));
    }

    @SuppressWarnings("unchecked") // what parse gives and is no Malformed
    Q message(Object parsed) {
      return (Q) parsed;
    }
  }
}
