package io.miniinference.service.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse.InferOutputTensor;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.AnswerLimit;
import io.miniinference.service.serving.BinaryOutput;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.Inference;
import io.miniinference.service.serving.InferenceToken;
import io.miniinference.service.serving.OutputTensor;
import io.miniinference.service.serving.RequestSource;
import io.miniinference.service.trace.Handover;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Serves one message of a call. The call's deadline and its cancellation count until the device
/// has begun.
@Component
final class GrpcInference {
  private final Catalog catalog;
  private final Inference inference;
  private final InferenceToken token;
  private final AnswerLimit limit;

  GrpcInference(Catalog catalog, Inference inference, InferenceToken token, AnswerLimit limit) {
    this.token = token;
    this.limit = limit;
    this.catalog = catalog;
    this.inference = inference;
  }

  /// Serves a message on the calling thread, which waits.
  ModelInferResponse infer(ModelInferRequest request) {
    token.admit(RepositoryToken.current());
    try (var call = new CallCancellation()) {
      RequestSource source = reader(request, call.terms());
      return message(
          catalog.use(
              request.getModelName(),
              InferenceGrpc.version(request.getModelVersion()),
              served -> inference.infer(served, source)));
    }
  }

  /// Answers a call. The calling thread does not wait unless it is virtual.
  void infer(ModelInferRequest request, StreamObserver<ModelInferResponse> to) {
    if (Thread.currentThread().isVirtual()) {
      Replies.send(to, () -> infer(request));
      return;
    }
    try {
      token.admit(RepositoryToken.current());
      ServedModel served =
          catalog.enter(request.getModelName(), InferenceGrpc.version(request.getModelVersion()));
      if (inference.holdsUp(served)) {
        served.usage().leave();
        CallThreads.onItsOwn(() -> Replies.send(to, () -> infer(request)));
      } else {
        submit(served, request, to);
      }
    } catch (RuntimeException e) {
      to.onError(Replies.status(e));
    }
  }

  private void submit(
      ServedModel served, ModelInferRequest request, StreamObserver<ModelInferResponse> to) {
    var call = new CallCancellation();
    Consumer<Supplier<InferResponse>> reply =
        answer -> {
          call.close();
          served.usage().leave();
          Replies.send(to, () -> message(answer.get()));
        };
    try {
      inference.submit(served, reader(request, call.terms()), Handover.of(reply));
    } catch (Error e) {
      reply.accept(() -> {
        throw e;
      });
    }
  }

  private static RequestSource reader(ModelInferRequest request, Terms terms) {
    return (rules, holds) -> {
      holds.reading().begin();
      holds.share().take(request.getSerializedSize());
      return new InferRequestMessage(request, rules).read(terms);
    };
  }

  private ModelInferResponse message(InferResponse response) {
    limit.check(response, _ -> true);
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
