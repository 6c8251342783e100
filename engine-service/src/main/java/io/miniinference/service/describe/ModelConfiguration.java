package io.miniinference.service.describe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.Signature;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.shapes.ConfiguredType;
import io.miniinference.service.shapes.ReshapedModel;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/// A model's configuration in the form of Triton's `ModelConfig`, with what its clients read.
///
/// @param maxBatchSize 0 where axis 0 of a shape is no batch; otherwise it is left out of `dims`
@JsonNaming(SnakeCaseStrategy.class)
public record ModelConfiguration(
    String name,
    String platform,
    String backend,
    VersionPolicy versionPolicy,
    int maxBatchSize,
    List<Input> input,
    List<Output> output,
    List<InstanceGroup> instanceGroup,
    String defaultModelFilename,
    @Nullable DynamicBatching dynamicBatching,
    TransactionPolicy modelTransactionPolicy,
    ResponseCache responseCache) {
  public ModelConfiguration {
    input = List.copyOf(input);
    output = List.copyOf(output);
    instanceGroup = List.copyOf(instanceGroup);
  }

  @JsonNaming(SnakeCaseStrategy.class)
  public record VersionPolicy(Specific specific) {}

  public record Specific(List<Long> versions) {
    public Specific {
      versions = List.copyOf(versions);
    }
  }

  /// @param dims as clients see them
  /// @param reshape as the model has them; null if it has them as clients do
  @JsonNaming(SnakeCaseStrategy.class)
  public record Input(
      String name,
      String dataType,
      String format,
      long[] dims,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reshape reshape,
      boolean isShapeTensor,
      boolean allowRaggedBatch,
      boolean optional) {}

  /// @param dims as clients see them
  /// @param reshape as the model has them; null if it has them as clients do
  @JsonNaming(SnakeCaseStrategy.class)
  public record Output(
      String name,
      String dataType,
      long[] dims,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reshape reshape,
      String labelFilename,
      boolean isShapeTensor) {}

  /// @param shape without the batch, as dims are
  public record Reshape(long[] shape) {}

  public record InstanceGroup(String name, String kind, int count) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record DynamicBatching(List<Integer> preferredBatchSize, long maxQueueDelayMicroseconds) {
    public DynamicBatching {
      preferredBatchSize = List.copyOf(preferredBatchSize);
    }
  }

  public record TransactionPolicy(boolean decoupled) {}

  public record ResponseCache(boolean enable) {}

  /// The configuration of a model that is served.
  ///
  /// @param delayMicros longest wait for other requests of a batch; negative where requests run
  ///   alone
  /// @param versions of its model that are served
  static ModelConfiguration of(
      ServedModel served, List<String> versions, DeviceInfo.Kind device, long delayMicros) {
    Model model = served.model();
    int maxBatch = isByRows(model) ? model.maxBatch() : 0;
    int inner = maxBatch > 0 ? 1 : 0;
    Signature own = ReshapedModel.ownOf(model);
    return new ModelConfiguration(
        served.name(),
        "onnxruntime_onnx",
        "onnxruntime",
        new VersionPolicy(new Specific(numbers(versions))),
        maxBatch,
        inputs(model.inputs(), own.inputs(), inner),
        outputs(model.outputs(), own.outputs(), inner, served.settings().labels()),
        List.of(new InstanceGroup(served.name(), kind(device), model.instances())),
        served.file(),
        delayMicros < 0 ? null : new DynamicBatching(List.of(), delayMicros),
        new TransactionPolicy(false),
        new ResponseCache(false));
  }

  private static boolean isByRows(Model model) {
    return model.hasBatch()
        && Stream.concat(model.inputs().stream(), model.outputs().stream())
            .allMatch(TensorSpec::isByRows);
  }

  private static List<Long> numbers(List<String> versions) {
    return versions.stream()
        .filter(version -> version.matches("[0-9]{1,18}"))
        .map(Long::valueOf)
        .toList();
  }

  private static List<Input> inputs(List<TensorSpec> seen, List<TensorSpec> own, int inner) {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      TensorSpec spec = seen.get(i);
      inputs.add(
          new Input(
              spec.name(),
              ConfiguredType.of(spec),
              "FORMAT_NONE",
              dims(spec, inner),
              reshape(spec, own.get(i), inner),
              false,
              false,
              false));
    }
    return inputs;
  }

  private static List<Output> outputs(
      List<TensorSpec> seen, List<TensorSpec> own, int inner, Map<String, String> labels) {
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      TensorSpec spec = seen.get(i);
      outputs.add(
          new Output(
              spec.name(),
              ConfiguredType.of(spec),
              dims(spec, inner),
              reshape(spec, own.get(i), inner),
              labels.getOrDefault(spec.name(), ""),
              false));
    }
    return outputs;
  }

  private static @Nullable Reshape reshape(TensorSpec seen, TensorSpec own, int inner) {
    return seen.dims().equals(own.dims()) ? null : new Reshape(dims(own, inner));
  }

  private static long[] dims(TensorSpec spec, int inner) {
    long[] shape = spec.declaredShape();
    return Arrays.copyOfRange(shape, inner, shape.length);
  }

  private static String kind(DeviceInfo.Kind device) {
    return device == DeviceInfo.Kind.OPENCL_GPU ? "KIND_GPU" : "KIND_CPU";
  }
}
