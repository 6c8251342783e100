package io.miniinference.service.grpc;

import io.miniinference.service.grpc.wire.OpenInference.InferParameter;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.serving.Failure;

/// What a stream answers a request: its outputs, or why there are none.
final class StreamAnswer {
  private static final String FINAL = "triton_final_response";

  private StreamAnswer() {}

  /// Serves a request on the calling thread. No failure leaves here.
  static ModelStreamInferResponse of(GrpcInference inference, ModelInferRequest request) {
    try {
      return ModelStreamInferResponse.newBuilder()
          .setInferResponse(last(inference.infer(request).toBuilder()))
          .build();
    } catch (RuntimeException | Error e) {
      return failed(request, e);
    }
  }

  private static ModelStreamInferResponse failed(ModelInferRequest request, Throwable error) {
    return ModelStreamInferResponse.newBuilder()
        .setErrorMessage(Failure.of(error, "a gRPC stream").message())
        .setInferResponse(
            last(
                ModelInferResponse.newBuilder()
                    .setId(request.getId())
                    .setModelName(request.getModelName())
                    .setModelVersion(request.getModelVersion())))
        .build();
  }

  /* Of a request that may have several answers clients await the last one. */
  private static ModelInferResponse.Builder last(ModelInferResponse.Builder response) {
    return response.putParameters(FINAL, InferParameter.newBuilder().setBoolParam(true).build());
  }
}
