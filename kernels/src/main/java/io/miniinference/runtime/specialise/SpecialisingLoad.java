package io.miniinference.runtime.specialise;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import java.util.function.Supplier;

/// A model that is planned for the sizes of its requests, when they come.
public record SpecialisingLoad(String name, Supplier<Model> opening) implements PreparedModel {

  @Override
  public int largestBatch() {
    return 1;
  }

  @Override
  public boolean isSizedByRequests() {
    return true;
  }

  @Override
  public long bytes(int maxBatch) {
    return 0;
  }

  @Override
  public PlanReport plan(int maxBatch, int batch) {
    throw new InvalidRequestException(
        "model '"
            + name
            + "' is planned for the sizes of its requests: name its open sizes to plan it");
  }

  @Override
  public Model load(int maxBatch) {
    return opening.get();
  }
}
