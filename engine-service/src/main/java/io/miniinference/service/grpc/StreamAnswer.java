package io.miniinference.service.grpc;

import io.miniinference.service.grpc.wire.OpenInference.InferParameter;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.serving.Failure;
import org.jspecify.annotations.Nullable;

/// What a stream answers a request: its outputs, or why there are none.
///
/// @param message the answer
/// @param failure why there are no outputs, for a stream that ends with it; null where there are
record StreamAnswer(ModelStreamInferResponse message, @Nullable Failure failure) {
  private static final String FINAL = "triton_final_response";

  /// Serves a request on the calling thread. No failure leaves here.
  static StreamAnswer of(GrpcInference inference, ModelInferRequest request) {
    try {
      return new StreamAnswer(
          ModelStreamInferResponse.newBuilder()
              .setInferResponse(last(inference.infer(request).toBuilder()))
              .build(),
          null);
    } catch (RuntimeException | Error e) {
      Failure failure = Failure.of(e, "a gRPC stream");
      return new StreamAnswer(failed(request, failure), failure);
    }
  }

  private static ModelStreamInferResponse failed(ModelInferRequest request, Failure failure) {
    return ModelStreamInferResponse.newBuilder()
        .setErrorMessage(failure.message())
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
