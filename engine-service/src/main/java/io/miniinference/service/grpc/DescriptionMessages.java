package io.miniinference.service.grpc;

import io.miniinference.service.describe.IndexEntry;
import io.miniinference.service.describe.ModelDescription;
import io.miniinference.service.describe.ModelDescription.TensorDescription;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataResponse.TensorMetadata;
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
