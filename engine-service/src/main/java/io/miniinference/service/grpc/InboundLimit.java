package io.miniinference.service.grpc;

import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.miniinference.service.admission.Admission;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/// Counts the bytes of all calls while they arrive ([ArrivingBytes]), and ends slow ones and those
/// of too many bytes.
@Component
@GlobalServerInterceptor
final class InboundLimit<T extends ServerBuilder<T>>
    implements ServerBuilderCustomizer<T>, ServerInterceptor {
  private final Admission admission;
  private final SlowCalls slow;
  private final long most;

  InboundLimit(
      Admission admission,
      SlowCalls slow,
      @Value("${spring.grpc.server.inbound.message.max-size}") DataSize most) {
    this.admission = admission;
    this.slow = slow;
    this.most = most.toBytes();
  }

  @Override
  public void customize(T builder) {
    builder.maxInboundMessageSize(Integer.MAX_VALUE); // ArrivingBytes knows better how to refuse
    builder.addStreamTracerFactory(
        new ServerStreamTracer.Factory() {
          @Override
          public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new ArrivingBytes(admission.bodies(), slow, most);
          }
        });
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ArrivingBytes bytes = ArrivingBytes.current();
    if (bytes == null) {
      return next.startCall(call, headers);
    }
    var endable = new EndableCall<>(call);
    return bytes.watch(endable) ? next.startCall(endable, headers) : new ServerCall.Listener<>() {};
  }
}
