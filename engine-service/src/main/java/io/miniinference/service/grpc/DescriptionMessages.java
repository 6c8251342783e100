package io.miniinference.service.grpc;

import io.miniinference.service.describe.IndexEntry;
import io.miniinference.service.describe.ModelConfiguration;
import io.miniinference.service.describe.ModelDescription;
import io.miniinference.service.describe.ModelDescription.TensorDescription;
import io.miniinference.service.grpc.wire.OpenInference.DataType;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfig;
import io.miniinference.service.grpc.wire.OpenInference.ModelDynamicBatching;
import io.miniinference.service.grpc.wire.OpenInference.ModelInput;
import io.miniinference.service.grpc.wire.OpenInference.ModelInstanceGroup;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse.TensorMetadata;
import io.miniinference.service.grpc.wire.OpenInference.ModelOutput;
import io.miniinference.service.grpc.wire.OpenInference.ModelTensorReshape;
import io.miniinference.service.grpc.wire.OpenInference.ModelVersionPolicy;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryIndexResponse;
import java.util.Arrays;
import java.util.List;

/// Descriptions of models as messages.
final class DescriptionMessages {
  private DescriptionMessages() {}

  static ModelMetadataResponse metadata(ModelDescription model) {
    return ModelMetadataResponse.newBuilder()
        .setName(model.name())
        .addAllVersions(model.versions())
        .setPlatform(model.platform())
        .addAllInputs(model.inputs().stream().map(DescriptionMessages::tensor).toList())
        .addAllOutputs(model.outputs().stream().map(DescriptionMessages::tensor).toList())
        .build();
  }

  private static TensorMetadata tensor(TensorDescription tensor) {
    return TensorMetadata.newBuilder()
        .setName(tensor.name())
        .setDatatype(tensor.datatype())
        .addAllShape(longs(tensor.shape()))
        .build();
  }

  static ModelConfig configuration(ModelConfiguration model) {
    ModelConfig.Builder config =
        ModelConfig.newBuilder()
            .setName(model.name())
            .setPlatform(model.platform())
            .setBackend(model.backend())
            .setVersionPolicy(policy(model))
            .setMaxBatchSize(model.maxBatchSize())
            .setDefaultModelFilename(model.defaultModelFilename());
    model.input().forEach(input -> config.addInput(input(input)));
    model.output().forEach(output -> config.addOutput(output(output)));
    model.instanceGroup().forEach(group -> config.addInstanceGroup(group(group)));
    ModelConfiguration.DynamicBatching batching = model.dynamicBatching();
    if (batching != null) {
      config.setDynamicBatching(
          ModelDynamicBatching.newBuilder()
              .addAllPreferredBatchSize(batching.preferredBatchSize())
              .setMaxQueueDelayMicroseconds(batching.maxQueueDelayMicroseconds()));
    }
    return config.build();
  }

  private static ModelVersionPolicy policy(ModelConfiguration model) {
    return ModelVersionPolicy.newBuilder()
        .setSpecific(
            ModelVersionPolicy.Specific.newBuilder()
                .addAllVersions(model.versionPolicy().specific().versions()))
        .build();
  }

  private static ModelInput input(ModelConfiguration.Input input) {
    ModelInput.Builder message =
        ModelInput.newBuilder()
            .setName(input.name())
            .setDataType(DataType.valueOf(input.dataType()))
            .setFormat(ModelInput.Format.valueOf(input.format()))
            .addAllDims(longs(input.dims()));
    ModelConfiguration.Reshape reshape = input.reshape();
    return reshape == null ? message.build() : message.setReshape(reshape(reshape)).build();
  }

  private static ModelOutput output(ModelConfiguration.Output output) {
    ModelOutput.Builder message =
        ModelOutput.newBuilder()
            .setName(output.name())
            .setDataType(DataType.valueOf(output.dataType()))
            .addAllDims(longs(output.dims()))
            .setLabelFilename(output.labelFilename());
    ModelConfiguration.Reshape reshape = output.reshape();
    return reshape == null ? message.build() : message.setReshape(reshape(reshape)).build();
  }

  private static ModelTensorReshape reshape(ModelConfiguration.Reshape reshape) {
    return ModelTensorReshape.newBuilder().addAllShape(longs(reshape.shape())).build();
  }

  private static ModelInstanceGroup group(ModelConfiguration.InstanceGroup group) {
    return ModelInstanceGroup.newBuilder()
        .setName(group.name())
        .setKind(ModelInstanceGroup.Kind.valueOf(group.kind()))
        .setCount(group.count())
        .build();
  }

  static RepositoryIndexResponse index(List<IndexEntry> entries) {
    RepositoryIndexResponse.Builder index = RepositoryIndexResponse.newBuilder();
    for (IndexEntry entry : entries) {
      index
          .addModelsBuilder()
          .setName(entry.name())
          .setVersion(entry.version())
          .setState(entry.state())
          .setReason(entry.reason());
    }
    return index.build();
  }

  private static List<Long> longs(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
