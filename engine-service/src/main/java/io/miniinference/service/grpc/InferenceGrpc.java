package io.miniinference.service.grpc;

import io.grpc.stub.StreamObserver;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.ModelNotReadyException;
import io.miniinference.service.catalog.UnknownModelException;
import io.miniinference.service.describe.Descriptions;
import io.miniinference.service.describe.ServerDescription;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfigRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfigResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelReadyRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelReadyResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelRepositoryParameter;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatisticsRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatisticsResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryIndexRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryIndexResponse;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelLoadRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelLoadResponse;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelUnloadRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelUnloadResponse;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveResponse;
import io.miniinference.service.grpc.wire.OpenInference.ServerMetadataRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerMetadataResponse;
import io.miniinference.service.grpc.wire.OpenInference.ServerReadyRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerReadyResponse;
import io.miniinference.service.repository.RepositoryApi;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The service `inference.GRPCInferenceService`.
@Service
final class InferenceGrpc extends UnofferedMethods {
  private final Catalog catalog;
  private final Descriptions descriptions;
  private final Readiness readiness;
  private final GrpcInference inference;
  private final Admission admission;
  private final RepositoryApi repository;

  InferenceGrpc(
      Catalog catalog,
      Descriptions descriptions,
      Readiness readiness,
      GrpcInference inference,
      Admission admission,
      RepositoryApi repository) {
    this.catalog = catalog;
    this.descriptions = descriptions;
    this.readiness = readiness;
    this.inference = inference;
    this.admission = admission;
    this.repository = repository;
  }

  @Override
  public void serverLive(ServerLiveRequest request, StreamObserver<ServerLiveResponse> to) {
    Replies.send(to, () -> ServerLiveResponse.newBuilder().setLive(readiness.isLive()).build());
  }

  @Override
  public void serverReady(ServerReadyRequest request, StreamObserver<ServerReadyResponse> to) {
    Replies.send(to, () -> ServerReadyResponse.newBuilder().setReady(readiness.isReady()).build());
  }

  @Override
  public void modelReady(ModelReadyRequest request, StreamObserver<ModelReadyResponse> to) {
    Replies.send(to, () -> ModelReadyResponse.newBuilder().setReady(isReady(request)).build());
  }

  private boolean isReady(ModelReadyRequest request) {
    try {
      catalog.ready(request.getName(), version(request.getVersion()));
      return true;
    } catch (ModelNotReadyException | UnknownModelException e) {
      return false;
    }
  }

  @Override
  public void serverMetadata(
      ServerMetadataRequest request, StreamObserver<ServerMetadataResponse> to) {
    ServerDescription own = ServerDescription.own();
    Replies.send(
        to,
        () ->
            ServerMetadataResponse.newBuilder()
                .setName(own.name())
                .setVersion(own.version())
                .addAllExtensions(own.extensions())
                .build());
  }

  @Override
  public void modelMetadata(
      ModelMetadataRequest request, StreamObserver<ModelMetadataResponse> to) {
    Replies.send(
        to,
        () ->
            DescriptionMessages.metadata(
                descriptions.metadata(request.getName(), version(request.getVersion()))));
  }

  @Override
  public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> to) {
    inference.infer(request, to);
  }

  /// Answers in the order of the requests, some of which run side by side. One that fails says so
  /// in its answer, and the stream goes on.
  @Override
  public StreamObserver<ModelInferRequest> modelStreamInfer(
      StreamObserver<ModelStreamInferResponse> to) {
    return InferStream.open(inference, admission, to);
  }

  @Override
  public void modelConfig(ModelConfigRequest request, StreamObserver<ModelConfigResponse> to) {
    Replies.send(
        to,
        () ->
            ModelConfigResponse.newBuilder()
                .setConfig(
                    descriptions.configuration(request.getName(), version(request.getVersion())))
                .build());
  }

  @Override
  public void modelStatistics(
      ModelStatisticsRequest request, StreamObserver<ModelStatisticsResponse> to) {
    Replies.send(
        to,
        () ->
            StatisticsMessages.of(
                request.getName().isEmpty()
                    ? descriptions.statistics()
                    : descriptions.statistics(request.getName(), version(request.getVersion()))));
  }

  @Override
  public void repositoryIndex(
      RepositoryIndexRequest request, StreamObserver<RepositoryIndexResponse> to) {
    Replies.send(to, () -> DescriptionMessages.index(descriptions.index(request.getReady())));
  }

  @Override
  public void repositoryModelLoad(
      RepositoryModelLoadRequest request, StreamObserver<RepositoryModelLoadResponse> to) {
    Replies.send(
        to,
        () -> {
          repository.admit(RepositoryToken.current());
          repository.load(
              model(request.getRepositoryName(), request.getModelName()),
              texts(request.getParametersMap()));
          return RepositoryModelLoadResponse.getDefaultInstance();
        });
  }

  /* KServe's own messages have the model's name where Triton's have that of a repository. */
  private static String model(String repository, String model) {
    return model.isEmpty() ? repository : model;
  }

  /* By name; empty where one is no text. */
  private static Map<String, Optional<String>> texts(
      Map<String, ModelRepositoryParameter> parameters) {
    Map<String, Optional<String>> texts = new HashMap<>();
    parameters.forEach((name, parameter) -> texts.put(name, text(parameter)));
    return texts;
  }

  private static Optional<String> text(ModelRepositoryParameter parameter) {
    return parameter.hasStringParam() ? Optional.of(parameter.getStringParam()) : Optional.empty();
  }

  @Override
  public void repositoryModelUnload(
      RepositoryModelUnloadRequest request, StreamObserver<RepositoryModelUnloadResponse> to) {
    Replies.send(
        to,
        () -> {
          repository.admit(RepositoryToken.current());
          repository.unload(
              model(request.getRepositoryName(), request.getModelName()),
              request.getParametersMap().keySet());
          return RepositoryModelUnloadResponse.getDefaultInstance();
        });
  }

  /// The version that a message names, null for the one that is served.
  static @Nullable String version(String named) {
    return named.isEmpty() ? null : named;
  }
}
