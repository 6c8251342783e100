package io.miniinference.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A model that is another one in all but its signature, and how that is asked.
public abstract class ForwardingModel implements Model {
  /// The other one.
  protected final Model model;

  protected ForwardingModel(Model model) {
    this.model = model;
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public boolean hasBatch() {
    return model.hasBatch();
  }

  @Override
  public boolean isBatchable() {
    return model.isBatchable();
  }

  @Override
  public int rowsTogether(RequestShape shape) {
    return model.rowsTogether(shape);
  }

  @Override
  public int instances() {
    return model.instances();
  }

  @Override
  public List<Integer> instanceBatches() {
    return model.instanceBatches();
  }

  @Override
  public int concurrency() {
    return model.concurrency();
  }

  @Override
  public boolean isPlanned(List<long[]> shapes) {
    return model.isPlanned(shapes);
  }

  @Override
  public int reservedBatch() {
    return model.reservedBatch();
  }

  @Override
  public long reservedBytes() {
    return model.reservedBytes();
  }

  @Override
  public PlanReport plan(int batch) {
    return model.plan(batch);
  }

  @Override
  public void prepare(Map<String, Long> sizes) {
    model.prepare(sizes);
  }

  @Override
  public int warmUp(int shapes) {
    return model.warmUp(shapes);
  }

  @Override
  public boolean planAhead(int most) {
    return model.planAhead(most);
  }

  @Override
  public int kernelsOfAllShapes(Map<String, Long> sizes) {
    return model.kernelsOfAllShapes(sizes);
  }

  @Override
  public Optional<SpecialisationStatistics> specialisations() {
    return model.specialisations();
  }

  @Override
  public boolean isClosed() {
    return model.isClosed();
  }

  @Override
  public boolean isServingThisThread() {
    return model.isServingThisThread();
  }

  @Override
  public void close() {
    model.close();
  }
}
