package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.admission.OverloadedException;
import org.jspecify.annotations.Nullable;

/// Takes the bytes of a call's message out of the budget as they arrive, until the message is
/// whole; whoever serves it takes them then. A call for which there is no room is ended before the
/// rest comes, and so is one whose message comes too slowly ([SlowCalls]) or is too long.
///
/// gRPC for Java resets the stream of a message that is too long, which clients in C++ and Python
/// take for a cancellation, whatever status came ahead. So it is not gRPC that bounds messages
/// here.
final class ArrivingBytes extends ServerStreamTracer {
  private static final Context.Key<ArrivingBytes> KEY = Context.key("arriving-bytes");

  private final ByteBudget.Share share;
  private final SlowCalls slow;
  private final long most;
  private long held;
  private long plain;
  private long arrived;
  private long since = System.nanoTime();
  private @Nullable EndableCall<?, ?> call;
  private @Nullable Status refusal;

  /// @param most bytes of a message
  ArrivingBytes(ByteBudget budget, SlowCalls slow, long most) {
    share = budget.open();
    this.slow = slow;
    this.most = most;
    slow.add(this);
  }

  /// Those of the current call.
  static @Nullable ArrivingBytes current() {
    return KEY.get();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  /// Gives the call that is to be ended if there is no room.
  ///
  /// @return whether there was room until now; if not, it has been ended
  synchronized boolean watch(EndableCall<?, ?> started) {
    call = started;
    if (started.getMethodDescriptor().getType() != MethodType.UNARY) {
      slow.remove(this); // a stream may rest between its messages
    }
    end();
    return refusal == null;
  }

  @Override
  public synchronized void inboundWireSize(long bytes) {
    arrived += bytes;
    if (refusal != null) {
      return;
    }
    if (held + bytes > most) {
      refusal = tooLong();
      end();
      return;
    }
    try {
      share.take(bytes);
      held += bytes;
    } catch (OverloadedException e) {
      refusal = Status.UNAVAILABLE.withDescription(e.getMessage());
      end();
    }
  }

  /// Bounds what a message grows to while it is decompressed and read.
  @Override
  public synchronized void inboundUncompressedSize(long bytes) {
    plain += bytes;
    if (plain > most) {
      throw tooLong().asRuntimeException();
    }
  }

  private Status tooLong() {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "gRPC message exceeds maximum size %d (spring.grpc.server.inbound.message.max-size)"
            .formatted(most));
  }

  /// The bytes that have come in all.
  synchronized long arrived() {
    return arrived;
  }

  private void end() {
    if (refusal != null && call != null) {
      call.close(refusal, new Metadata());
    }
  }

  @Override
  public synchronized void inboundMessageRead(int sequence, long wireBytes, long plainBytes) {
    slow.remove(this);
    share.release(held);
    held = 0;
    plain = 0;
  }

  /// Ends the call if its message takes too long.
  synchronized void check(long now, SlowCalls.Pace pace) {
    String complaint = pace.complaint(now - since, held);
    if (refusal == null && complaint != null) {
      refusal = Status.DEADLINE_EXCEEDED.withDescription(complaint);
      end();
    }
  }

  @Override
  public synchronized void streamClosed(Status status) {
    slow.remove(this);
    share.close();
    held = 0;
  }
}
