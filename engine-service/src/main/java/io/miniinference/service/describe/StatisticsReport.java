package io.miniinference.service.describe;

import io.miniinference.device.DeviceInfo;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.serving.ModelStatistics;
import io.miniinference.service.serving.ModelStatistics.Duration;
import io.miniinference.service.serving.ModelStatistics.Stages;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/// The statistics of models in the form of the protocol's extension.
@JsonNaming(SnakeCaseStrategy.class)
public record StatisticsReport(List<OfModel> modelStats) {
  public StatisticsReport {
    modelStats = List.copyOf(modelStats);
  }

  /// One model since it was loaded.
  ///
  /// @param lastInference milliseconds since 1970, 0 for never
  /// @param inferenceCount rows
  /// @param executionCount batches
  /// @param memoryUsage bytes of the pool that the model holds
  @JsonNaming(SnakeCaseStrategy.class)
  public record OfModel(
      String name,
      String version,
      long lastInference,
      long inferenceCount,
      long executionCount,
      OfRequests inferenceStats,
      Map<String, Object> responseStats,
      List<OfBatch> batchStats,
      List<Memory> memoryUsage) {
    public OfModel {
      responseStats = Map.copyOf(responseStats);
      batchStats = List.copyOf(batchStats);
      memoryUsage = List.copyOf(memoryUsage);
    }
  }

  /// How often, and how many nanoseconds in all.
  public record Counted(long count, long ns) {
    static final Counted NONE = new Counted(0, 0);

    static Counted of(Duration duration) {
      return new Counted(duration.count(), duration.nanos());
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  public record OfRequests(
      Counted success,
      Counted fail,
      Counted queue,
      Counted computeInput,
      Counted computeInfer,
      Counted computeOutput,
      Counted cacheHit,
      Counted cacheMiss) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record OfBatch(
      int batchSize, Counted computeInput, Counted computeInfer, Counted computeOutput) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Memory(String type, int id, long byteSize) {}

  static OfModel of(ServedModel served, ModelStatistics statistics, DeviceInfo.Kind device) {
    return new OfModel(
        served.name(),
        served.version(),
        statistics.lastMillis(),
        statistics.inferences(),
        statistics.executions(),
        requests(statistics),
        Map.of(),
        statistics.batches().entrySet().stream().map(e -> batch(e.getKey(), e.getValue())).toList(),
        List.of(
            new Memory(
                device == DeviceInfo.Kind.OPENCL_GPU ? "GPU" : "CPU",
                0,
                served.model().reservedBytes())));
  }

  private static OfRequests requests(ModelStatistics statistics) {
    Stages stages = statistics.stages();
    return new OfRequests(
        Counted.of(statistics.success()),
        Counted.of(statistics.fail()),
        Counted.of(statistics.queue()),
        Counted.of(stages.input()),
        Counted.of(stages.infer()),
        Counted.of(stages.output()),
        Counted.NONE,
        Counted.NONE);
  }

  private static OfBatch batch(int size, Stages stages) {
    return new OfBatch(
        size, Counted.of(stages.input()), Counted.of(stages.infer()), Counted.of(stages.output()));
  }
}
