package io.miniinference.runtime.specialise;

import io.miniinference.device.DeviceInfo;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.load.LargestShape;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.PromisedRoom;
import io.miniinference.runtime.pad.PaddedModel;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A model that is planned for the sizes of its requests, when they come. Where options bound all
/// of them it is planned for the largest ones now, and a load takes room for those.
public final class SpecialisingLoad implements PreparedModel {
  private final OnnxModel model;
  private final LoadOptions options;
  private final ModelLoader loader;
  private final HeldBlocks held;
  private final UnaryOperator<Model> opened;
  private final Optional<LargestShape> largest;

  /// @param opened makes a loaded model the engine's
  /// @throws io.miniinference.onnx.ModelException if the model does not take its largest sizes
  public SpecialisingLoad(
      OnnxModel model,
      LoadOptions options,
      ModelLoader loader,
      HeldBlocks held,
      UnaryOperator<Model> opened) {
    this.model = model;
    this.options = options;
    this.loader = loader.ofManyShapes();
    this.held = held;
    this.opened = opened;
    largest = Bounds.planned(model, options, this.loader);
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public int largestBatch() {
    return largest.map(LargestShape::maxBatch).orElse(1);
  }

  @Override
  public boolean isSizedByRequests() {
    return largest.isEmpty();
  }

  @Override
  public Map<String, Long> promisedSizes() {
    return largest.map(LargestShape::sizes).orElse(Map.of());
  }

  @Override
  public long bytes(int maxBatch) {
    return largest
        .map(it -> loader.missingBytes(it.common()) + it.roomBytes(maxBatch, device()))
        .orElse(0L);
  }

  @Override
  public PlanReport plan(int maxBatch, int batch) {
    LargestShape planned =
        largest.orElseThrow(() ->
            new InvalidRequestException(
                "model '%s' is planned for the sizes of its requests: name its open sizes to plan it"
                    .formatted(name())));
    return planned.plans(maxBatch, device()).apply(batch);
  }

  private DeviceInfo device() {
    return loader.device();
  }

  @Override
  public Model load(int maxBatch) {
    Optional<PromisedRoom> room = largest.map(it -> loader.promise(it, maxBatch));
    SpecialisingModel loaded = new SpecialisingModel(model, options, loader, held, room);
    try {
      room.ifPresent(_ -> loaded.prepareLargest());
      return opened.apply(PaddedModel.of(loaded, options.padding()));
    } catch (Throwable e) {
      loaded.close();
      throw e;
    }
  }
}
