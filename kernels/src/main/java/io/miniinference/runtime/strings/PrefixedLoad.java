package io.miniinference.runtime.strings;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import java.util.Collection;
import java.util.Map;

/// A model that is prepared, some of whose nodes the host computes.
record PrefixedLoad(PreparedModel rest, HostSteps steps) implements PreparedModel {
  @Override
  public String name() {
    return rest.name();
  }

  @Override
  public int largestBatch() {
    return rest.largestBatch();
  }

  @Override
  public boolean isSizedByRequests() {
    return rest.isSizedByRequests();
  }

  @Override
  public Map<String, Long> promisedSizes() {
    return rest.promisedSizes();
  }

  @Override
  public long bytes(int maxBatch) {
    return rest.bytes(maxBatch);
  }

  @Override
  public long bytesBroughtBy(Collection<PreparedModel> others) {
    return rest.bytesBroughtBy(others);
  }

  @Override
  public PlanReport plan(int maxBatch, int batch) {
    return rest.plan(maxBatch, batch);
  }

  @Override
  public void build() {
    rest.build();
  }

  @Override
  public void close() {
    rest.close();
  }

  @Override
  public Model load(int maxBatch) {
    return new PrefixedModel(rest.load(maxBatch), steps);
  }
}
