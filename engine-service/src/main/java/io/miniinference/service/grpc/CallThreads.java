package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.trace.Handover;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.stereotype.Component;

/// Where calls run: each on a virtual thread of its own, since it may wait. A unary inference with
/// a small message is read and queued right on the thread of its connection, which takes less time
/// than to hand it over, and does not wait there.
@Component
final class CallThreads<T extends ServerBuilder<T>>
    implements ServerBuilderCustomizer<T>, GrpcServerExecutorProvider, ServerCallExecutorSupplier {
  /// Bytes of a message that is read on the thread of its connection.
  static final long SMALL_BYTES = 64 << 10;

  private static final String INFER =
      GRPCInferenceServiceGrpc.getModelInferMethod().getFullMethodName();
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);
  private static final Executor OWN =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("grpc-", 0).factory());

  /// Runs the work of the current call on a virtual thread.
  static void onItsOwn(Runnable work) {
    OWN.execute(Context.current().wrap(Handover.of(work)));
  }

  @Override
  public void customize(T builder) {
    builder.callExecutor(this);
  }

  /// Where a call's method is looked up, and listeners hear that a call was given up.
  @Override
  public Executor getExecutor() {
    return CallThreads::here;
  }

  private static void here(Runnable work) {
    if (Thread.currentThread().isVirtual()) {
      OWN.execute(work);
    } else {
      work.run();
    }
  }

  @Override
  public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
    ArrivingBytes bytes = ArrivingBytes.current();
    return bytes != null && mayBeSmall(call, headers) ? new WhileSmall(bytes) : OWN;
  }

  /* What is compressed may be large once it is read. */
  private static boolean mayBeSmall(ServerCall<?, ?> call, Metadata headers) {
    return call.getMethodDescriptor().getFullMethodName().equals(INFER)
        && !headers.containsKey(ENCODING);
  }

  /// Runs a call where it comes in, until its message is too large for that.
  private record WhileSmall(ArrivingBytes bytes) implements Executor {
    @Override
    public void execute(Runnable work) {
      if (bytes.arrived() > SMALL_BYTES) {
        OWN.execute(work);
      } else {
        here(work);
      }
    }
  }
}
