package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.service.scheduling.Cancellation;
import io.miniinference.service.scheduling.Terms;
import java.util.concurrent.TimeUnit;

/// Gives up a request when the call that it came with ends before it, until it is closed.
final class CallCancellation implements AutoCloseable, Context.CancellationListener {
  private final Context call = Context.current();
  private final Cancellation cancellation = Cancellation.possible();

  CallCancellation() {
    call.addListener(this, Runnable::run);
  }

  /// What the call says of scheduling.
  Terms terms() {
    Deadline deadline = call.getDeadline();
    long nanos =
        deadline == null
            ? InferenceRequest.NO_DEADLINE
            : System.nanoTime() + deadline.timeRemaining(TimeUnit.NANOSECONDS);
    return Terms.ofCall(nanos, cancellation);
  }

  @Override
  public void cancelled(Context context) {
    cancellation.cancel();
  }

  @Override
  public void close() {
    call.removeListener(this);
  }
}
