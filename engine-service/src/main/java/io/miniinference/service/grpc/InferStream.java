package io.miniinference.service.grpc;

import io.grpc.stub.StreamObserver;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.serving.Failure;

/// The requests of one stream. The next is read when the last was answered, so that a client that
/// sends faster than the device works is held back.
record InferStream(GrpcInference inference, StreamObserver<ModelStreamInferResponse> to)
    implements StreamObserver<ModelInferRequest> {

  @Override
  public void onNext(ModelInferRequest request) {
    to.onNext(answer(request));
  }

  private ModelStreamInferResponse answer(ModelInferRequest request) {
    try {
      return ModelStreamInferResponse.newBuilder()
          .setInferResponse(inference.infer(request))
          .build();
    } catch (RuntimeException e) {
      return ModelStreamInferResponse.newBuilder()
          .setErrorMessage(Failure.of(e, "a gRPC stream").message())
          .setInferResponse(ModelInferResponse.newBuilder().setId(request.getId()))
          .build();
    }
  }

  /// The client went away: what it sent before was answered.
  @Override
  public void onError(Throwable error) {}

  @Override
  public void onCompleted() {
    to.onCompleted();
  }
}
