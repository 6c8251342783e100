package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.doubles.HeapServiceTest;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/// The bytes of messages over gRPC count from the moment that they arrive.
final class ArrivingBytesTest extends HeapServiceTest {
  private static final int BUDGET_BYTES = 128 << 10;

  @Autowired private GrpcServerLifecycle server;
  @Autowired private Admission admission;
  @Autowired private SlowCalls slow;

  @Test
  void bytesAreHeldUntilTheMessageIsWholeOrItsStreamEnds() {
    var whole = new ArrivingBytes(admission.bodies(), slow, 1000);
    whole.inboundWireSize(100);
    whole.inboundWireSize(100);
    assertThat(admission.bodies().usedBytes()).isEqualTo(200);
    whole.inboundMessageRead(0, 200, 200);
    assertThat(admission.bodies().usedBytes()).isZero();

    var broken = new ArrivingBytes(admission.bodies(), slow, 1000);
    broken.inboundWireSize(300);
    broken.streamClosed(Status.CANCELLED);
    assertThat(admission.bodies().usedBytes()).isZero();
  }

  @Test
  void whatAMessageGrowsToIsBounded() {
    var call = new ArrivingBytes(admission.bodies(), slow, 1000);
    call.inboundWireSize(100);
    call.inboundMessageRead(0, 100, -1);
    call.inboundUncompressedSize(1000);
    assertThatThrownBy(() -> call.inboundUncompressedSize(1))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED")
        .hasMessageContaining("exceeds maximum size 1000");
    call.inboundMessageRead(1, 100, -1);
    call.inboundUncompressedSize(1000);
    call.streamClosed(Status.OK);
  }

  @Test
  void aMessageForWhichThereIsNoRoomEndsItsCallAndTheNextIsAnswered() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
    try {
      assertThat(send(channel, 16 * BUDGET_BYTES))
          .contains("UNAVAILABLE", "engine.queue.max-bytes");
      assertThat(send(channel, 100)).contains("INVALID_ARGUMENT");
      awaitNothingHeld();
    } finally {
      channel.shutdownNow();
    }
  }

  /* No request of the model: it is refused for what it is, once it is whole. */
  private static String send(ManagedChannel channel, int bytes) {
    var request =
        ModelInferRequest.newBuilder()
            .setModelName("same-u8")
            .addRawInputContents(ByteString.copyFrom(new byte[bytes]))
            .build();
    try {
      return GRPCInferenceServiceGrpc.newBlockingStub(channel).modelInfer(request).toString();
    } catch (StatusRuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void awaitNothingHeld() {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (admission.bodies().usedBytes() != 0) {
      assertThat(System.nanoTime()).as("bytes stay taken").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
