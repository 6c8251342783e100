package io.miniinference.service.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Context;
import io.grpc.Deadline;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse.InferOutputTensor;
import io.miniinference.service.scheduling.Cancellation;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.BinaryOutput;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.Inference;
import io.miniinference.service.serving.InferenceToken;
import io.miniinference.service.serving.OutputTensor;
import io.miniinference.service.serving.RequestSource;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/// Serves one message of a call. The call's deadline and its cancellation count until the device
/// has begun.
@Component
final class GrpcInference {
  private final Catalog catalog;
  private final Inference inference;
  private final InferenceToken token;

  GrpcInference(Catalog catalog, Inference inference, InferenceToken token) {
    this.token = token;
    this.catalog = catalog;
    this.inference = inference;
  }

  ModelInferResponse infer(ModelInferRequest request) {
    token.admit(RepositoryToken.current());
    Context call = Context.current();
    Cancellation cancellation = Cancellation.possible();
    Context.CancellationListener listener = _ -> cancellation.cancel();
    call.addListener(listener, Runnable::run);
    try {
      RequestSource source = reader(request, terms(call, cancellation));
      return message(
          catalog.use(
              request.getModelName(),
              InferenceGrpc.version(request.getModelVersion()),
              served -> inference.infer(served, source)));
    } finally {
      call.removeListener(listener);
    }
  }

  private static RequestSource reader(ModelInferRequest request, Terms terms) {
    return (rules, share) -> {
      share.take(request.getSerializedSize());
      return new InferRequestMessage(request, rules).read(terms);
    };
  }

  private static Terms terms(Context call, Cancellation cancellation) {
    Deadline deadline = call.getDeadline();
    long nanos =
        deadline == null
            ? InferenceRequest.NO_DEADLINE
            : System.nanoTime() + deadline.timeRemaining(TimeUnit.NANOSECONDS);
    return new Terms(0, nanos, cancellation);
  }

  private static ModelInferResponse message(InferResponse response) {
    ModelInferResponse.Builder message =
        ModelInferResponse.newBuilder()
            .setModelName(response.model())
            .setModelVersion(response.version());
    if (response.id() != null) {
      message.setId(response.id());
    }
    for (OutputTensor output : response.outputs()) {
      message.addOutputs(header(output)).addRawOutputContents(bytes(output));
    }
    return message.build();
  }

  private static InferOutputTensor header(OutputTensor output) {
    return InferOutputTensor.newBuilder()
        .setName(output.name())
        .setDatatype(output.datatype())
        .addAllShape(Arrays.stream(output.shape()).boxed().toList())
        .build();
  }

  /* The response owns its bytes. */
  private static ByteString bytes(OutputTensor output) {
    return UnsafeByteOperations.unsafeWrap(BinaryOutput.bytes(output));
  }
}
