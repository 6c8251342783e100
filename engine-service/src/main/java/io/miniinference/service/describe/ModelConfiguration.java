package io.miniinference.service.describe;

import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.Signature;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.settings.wire.TritonModel.DataType;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import io.miniinference.service.settings.wire.TritonModel.ModelDynamicBatching;
import io.miniinference.service.settings.wire.TritonModel.ModelInput;
import io.miniinference.service.settings.wire.TritonModel.ModelInstanceGroup;
import io.miniinference.service.settings.wire.TritonModel.ModelOutput;
import io.miniinference.service.settings.wire.TritonModel.ModelResponseCache;
import io.miniinference.service.settings.wire.TritonModel.ModelTensorReshape;
import io.miniinference.service.settings.wire.TritonModel.ModelTransactionPolicy;
import io.miniinference.service.settings.wire.TritonModel.ModelVersionPolicy;
import io.miniinference.service.shapes.ConfiguredType;
import io.miniinference.service.shapes.ReshapedModel;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A model's configuration as Triton's clients read it: what is so here, and beside it what the
/// configuration of the repository says and only its clients make use of, as it says it.
final class ModelConfiguration {
  private final ServedModel served;
  private final ModelConfig given;

  /// Axes of a shape that dims leave out.
  private final int outer;

  private ModelConfiguration(ServedModel served) {
    this.served = served;
    given = served.set().given();
    outer = maxBatch(served.model()) > 0 ? 1 : 0;
  }

  /// The configuration of a model that is served.
  ///
  /// @param delayMicros longest wait for other requests of a batch; negative where requests run
  ///   alone
  /// @param versions of its model that are served
  static ModelConfig of(
      ServedModel served, List<String> versions, DeviceInfo.Kind device, long delayMicros) {
    var configuration = new ModelConfiguration(served);
    ModelConfig.Builder message =
        configuration
            .echo()
            .setName(served.name())
            .setPlatform(ModelDescription.PLATFORM)
            .setBackend("onnxruntime")
            .setVersionPolicy(versionPolicy(versions))
            .setMaxBatchSize(maxBatch(served.model()))
            .addInstanceGroup(instances(served, device))
            .setDefaultModelFilename(served.file())
            .setModelTransactionPolicy(ModelTransactionPolicy.getDefaultInstance())
            .setResponseCache(ModelResponseCache.getDefaultInstance());
    configuration.addTensors(message);
    if (delayMicros >= 0) {
      message.setDynamicBatching(configuration.batching(delayMicros));
    }
    return message.build();
  }

  private ModelConfig.Builder echo() {
    ModelConfig.Builder message =
        ModelConfig.newBuilder()
            .putAllMetricTags(given.getMetricTagsMap())
            .putAllParameters(given.getParametersMap())
            .addAllModelWarmup(given.getModelWarmupList());
    return given.hasOptimization() ? message.setOptimization(given.getOptimization()) : message;
  }

  /* 0 where axis 0 of a shape is no batch. */
  private static int maxBatch(Model model) {
    boolean isByRows =
        model.hasBatch()
            && Stream.concat(model.inputs().stream(), model.outputs().stream())
                .allMatch(TensorSpec::isByRows);
    return isByRows ? model.maxBatch() : 0;
  }

  private static ModelVersionPolicy versionPolicy(List<String> versions) {
    ModelVersionPolicy.Specific.Builder specific = ModelVersionPolicy.Specific.newBuilder();
    versions.stream()
        .filter(version -> version.matches("[0-9]{1,18}"))
        .map(Long::valueOf)
        .forEach(specific::addVersions);
    return ModelVersionPolicy.newBuilder().setSpecific(specific).build();
  }

  private static ModelInstanceGroup instances(ServedModel served, DeviceInfo.Kind device) {
    boolean isGpu = device == DeviceInfo.Kind.OPENCL_GPU;
    return ModelInstanceGroup.newBuilder()
        .setName(served.name())
        .setKind(isGpu ? ModelInstanceGroup.Kind.KIND_GPU : ModelInstanceGroup.Kind.KIND_CPU)
        .setCount(served.model().instances())
        .build();
  }

  private ModelDynamicBatching batching(long delayMicros) {
    return given.getDynamicBatching().toBuilder().setMaxQueueDelayMicroseconds(delayMicros).build();
  }

  private void addTensors(ModelConfig.Builder message) {
    Signature own = ReshapedModel.ownOf(served.model());
    Model model = served.model();
    for (int position : served.tensors().inputs()) {
      message.addInput(input(model.inputs().get(position), own.inputs().get(position)));
    }
    for (int position : served.tensors().outputs()) {
      message.addOutput(output(model.outputs().get(position), own.outputs().get(position)));
    }
  }

  private ModelInput input(TensorSpec seen, TensorSpec own) {
    ModelInput.Builder input =
        ModelInput.newBuilder()
            .setName(seen.name())
            .setDataType(type(seen))
            .setFormat(format(seen.name()))
            .addAllDims(dims(seen));
    return isReshaped(seen, own) ? input.setReshape(shape(own)).build() : input.build();
  }

  private ModelInput.Format format(String input) {
    return given.getInputList().stream()
        .filter(block -> block.getName().equals(input))
        .map(ModelInput::getFormat)
        .findFirst()
        .orElse(ModelInput.Format.FORMAT_NONE);
  }

  private ModelOutput output(TensorSpec seen, TensorSpec own) {
    ModelOutput.Builder output =
        ModelOutput.newBuilder()
            .setName(seen.name())
            .setDataType(type(seen))
            .addAllDims(dims(seen))
            .setLabelFilename(
                Objects.requireNonNullElse(served.settings().labels().get(seen.name()), ""));
    return isReshaped(seen, own) ? output.setReshape(shape(own)).build() : output.build();
  }

  private static DataType type(TensorSpec spec) {
    return DataType.valueOf(ConfiguredType.of(spec));
  }

  private static boolean isReshaped(TensorSpec seen, TensorSpec own) {
    return !seen.dims().equals(own.dims());
  }

  private ModelTensorReshape shape(TensorSpec own) {
    return ModelTensorReshape.newBuilder().addAllShape(dims(own)).build();
  }

  private List<Long> dims(TensorSpec spec) {
    return Arrays.stream(spec.declaredShape()).skip(outer).boxed().toList();
  }
}
