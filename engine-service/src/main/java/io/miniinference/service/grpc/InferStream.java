package io.miniinference.service.grpc;

import io.grpc.stub.StreamObserver;
import io.miniinference.service.grpc.wire.OpenInference.InferParameter;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.serving.Failure;

/// The requests of one stream. The next is read when the last was answered, so that a client that
/// sends faster than the device works is held back.
record InferStream(GrpcInference inference, StreamObserver<ModelStreamInferResponse> to)
    implements StreamObserver<ModelInferRequest> {
  private static final String FINAL = "triton_final_response";

  @Override
  public void onNext(ModelInferRequest request) {
    to.onNext(answer(request));
  }

  private ModelStreamInferResponse answer(ModelInferRequest request) {
    try {
      return ModelStreamInferResponse.newBuilder()
          .setInferResponse(last(inference.infer(request).toBuilder()))
          .build();
    } catch (RuntimeException e) {
      return ModelStreamInferResponse.newBuilder()
          .setErrorMessage(Failure.of(e, "a gRPC stream").message())
          .setInferResponse(
              last(
                  ModelInferResponse.newBuilder()
                      .setId(request.getId())
                      .setModelName(request.getModelName())
                      .setModelVersion(request.getModelVersion())))
          .build();
    }
  }

  /* Of a request that may have several answers clients await the last one. */
  private static ModelInferResponse.Builder last(ModelInferResponse.Builder response) {
    return response.putParameters(FINAL, InferParameter.newBuilder().setBoolParam(true).build());
  }

  /// The client went away: what it sent before was answered.
  @Override
  public void onError(Throwable error) {}

  @Override
  public void onCompleted() {
    to.onCompleted();
  }
}
