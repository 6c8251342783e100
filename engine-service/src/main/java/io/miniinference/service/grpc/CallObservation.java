package io.miniinference.service.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.observe.Observers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/// Micrometer's observation of gRPC calls, in place of the one that Spring Boot registers. Where
/// nothing but meters hears of observations, a unary inference is only timed and counted, in the
/// same meters: an observation takes as long as a tenth of a small request. Those in flight are in
/// `engine.model.inflight` then, and not in `grpc.server.active`.
@Component
@GlobalServerInterceptor
@Order(0)
final class CallObservation extends ObservationGrpcServerInterceptor {
  private static final String METER = "grpc.server";
  private static final MethodDescriptor<?, ?> INFER =
      GRPCInferenceServiceGrpc.getModelInferMethod();

  /// The status of a call that has none yet, or never gets one.
  private static final String NO_STATUS = "UNKNOWN";

  private final MeterRegistry meters;
  private final boolean areMetersEnough;
  private final Map<End, Timer> timers = new ConcurrentHashMap<>();
  private final Counter received;
  private final Counter sent;
  private final Counter cancelled;

  CallObservation(
      ObservationRegistry observations,
      MeterRegistry meters,
      ObjectProvider<ObservationHandler<?>> handlers) {
    super(observations);
    this.meters = meters;
    areMetersEnough = Observers.areMetersAlone(handlers);
    received = counter("received");
    sent = counter("sent");
    cancelled = counter("cancelled");
  }

  private Counter counter(String event) {
    return meters.counter(METER + "." + event, tags(NO_STATUS));
  }

  /* Those of Micrometer's convention, since a meter's series have the same tags. */
  private static Tags tags(String status) {
    return Tags.of("grpc.status_code", status)
        .and("rpc.method", "ModelInfer", "rpc.service", GRPCInferenceServiceGrpc.SERVICE_NAME)
        .and("rpc.type", INFER.getType().name());
  }

  /// How a call ended.
  ///
  /// @param error simple name of the exception that ended it
  private record End(String status, String error) {
    static final End NONE = new End(NO_STATUS, "none");
    static final End OK = End.of(Status.OK);

    static End of(Status status) {
      Throwable cause = status.getCause();
      return new End(
          status.getCode().name(), cause == null ? "none" : cause.getClass().getSimpleName());
    }
  }

  private Timer timer(End end) {
    return meters.timer(METER, tags(end.status).and("error", end.error));
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    boolean isTimed =
        areMetersEnough
            && call.getMethodDescriptor().getFullMethodName().equals(INFER.getFullMethodName());
    return isTimed ? timed(call, headers, next) : super.interceptCall(call, headers, next);
  }

  private <Q, A> ServerCall.Listener<Q> timed(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var timed = new Timed<>(call);
    return new Told<>(next.startCall(timed, headers), timed);
  }

  /// Counts what is sent, and keeps the status.
  private final class Timed<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final long start = System.nanoTime();
    private volatile End end = End.NONE;

    Timed(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void sendMessage(A message) {
      sent.increment();
      super.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      end = status.isOk() ? End.OK : End.of(status);
      super.close(status, trailers);
    }

    void ended() {
      timers
          .computeIfAbsent(end, CallObservation.this::timer)
          .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }
  }

  /// Counts what is received, and the call at its end.
  private final class Told<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Timed<Q, ?> call;

    Told(ServerCall.Listener<Q> listener, Timed<Q, ?> call) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      received.increment();
      super.onMessage(message);
    }

    @Override
    public void onCancel() {
      cancelled.increment();
      super.onCancel();
      call.ended();
    }

    @Override
    public void onComplete() {
      super.onComplete();
      call.ended();
    }
  }
}
