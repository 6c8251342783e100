package io.miniinference.service.grpc;

import io.miniinference.service.describe.StatisticsReport;
import io.miniinference.service.describe.StatisticsReport.Counted;
import io.miniinference.service.describe.StatisticsReport.OfBatch;
import io.miniinference.service.describe.StatisticsReport.OfModel;
import io.miniinference.service.describe.StatisticsReport.OfRequests;
import io.miniinference.service.grpc.wire.OpenInference.InferBatchStatistics;
import io.miniinference.service.grpc.wire.OpenInference.InferStatistics;
import io.miniinference.service.grpc.wire.OpenInference.MemoryUsage;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatistics;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatisticsResponse;
import io.miniinference.service.grpc.wire.OpenInference.StatisticDuration;

/// Statistics as messages.
final class StatisticsMessages {
  private StatisticsMessages() {}

  static ModelStatisticsResponse of(StatisticsReport report) {
    return ModelStatisticsResponse.newBuilder()
        .addAllModelStats(report.modelStats().stream().map(StatisticsMessages::model).toList())
        .build();
  }

  private static ModelStatistics model(OfModel model) {
    return ModelStatistics.newBuilder()
        .setName(model.name())
        .setVersion(model.version())
        .setLastInference(model.lastInference())
        .setInferenceCount(model.inferenceCount())
        .setExecutionCount(model.executionCount())
        .setInferenceStats(requests(model.inferenceStats()))
        .addAllBatchStats(model.batchStats().stream().map(StatisticsMessages::batch).toList())
        .addAllMemoryUsage(model.memoryUsage().stream().map(StatisticsMessages::memory).toList())
        .build();
  }

  private static InferStatistics requests(OfRequests requests) {
    return InferStatistics.newBuilder()
        .setSuccess(counted(requests.success()))
        .setFail(counted(requests.fail()))
        .setQueue(counted(requests.queue()))
        .setComputeInput(counted(requests.computeInput()))
        .setComputeInfer(counted(requests.computeInfer()))
        .setComputeOutput(counted(requests.computeOutput()))
        .setCacheHit(counted(requests.cacheHit()))
        .setCacheMiss(counted(requests.cacheMiss()))
        .build();
  }

  private static InferBatchStatistics batch(OfBatch batch) {
    return InferBatchStatistics.newBuilder()
        .setBatchSize(batch.batchSize())
        .setComputeInput(counted(batch.computeInput()))
        .setComputeInfer(counted(batch.computeInfer()))
        .setComputeOutput(counted(batch.computeOutput()))
        .build();
  }

  private static MemoryUsage memory(StatisticsReport.Memory memory) {
    return MemoryUsage.newBuilder()
        .setType(memory.type())
        .setId(memory.id())
        .setByteSize(memory.byteSize())
        .build();
  }

  private static StatisticDuration counted(Counted counted) {
    return StatisticDuration.newBuilder().setCount(counted.count()).setNs(counted.ns()).build();
  }
}
