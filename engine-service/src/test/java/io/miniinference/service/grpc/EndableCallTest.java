package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EndableCallTest {
  private final List<String> sent = new ArrayList<>();

  private final class Recorded extends ServerCall<ModelInferRequest, ModelStreamInferResponse> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {
      sent.add("headers");
    }

    @Override
    public void sendMessage(ModelStreamInferResponse message) {
      sent.add("message");
    }

    @Override
    public void close(Status status, Metadata trailers) {
      sent.add(status.getCode().name());
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<ModelInferRequest, ModelStreamInferResponse> getMethodDescriptor() {
      return GRPCInferenceServiceGrpc.getModelStreamInferMethod();
    }
  }

  @Test
  void whatIsSentAfterTheEndGoesNowhere() {
    var call = new EndableCall<>(new Recorded());
    call.sendHeaders(new Metadata());
    call.sendMessage(ModelStreamInferResponse.getDefaultInstance());
    call.close(Status.UNAVAILABLE, new Metadata());

    call.sendHeaders(new Metadata());
    call.sendMessage(ModelStreamInferResponse.getDefaultInstance());
    call.close(Status.OK, new Metadata());

    assertThat(sent).containsExactly("headers", "message", "UNAVAILABLE");
  }
}
