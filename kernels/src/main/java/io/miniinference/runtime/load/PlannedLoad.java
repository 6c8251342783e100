package io.miniinference.runtime.load;

import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.WeightSet;
import io.miniinference.runtime.pad.PaddedModel;
import io.miniinference.runtime.serve.PlanReports;
import io.miniinference.runtime.serve.Reservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/// A model whose plan holds for all batches: what a load takes is known to the byte.
///
/// @param options with the largest batch for which it was planned
/// @param opened makes a loaded model the engine's
/// @param ahead its program, if that was built before
public record PlannedLoad(
    Compiled compiled,
    LoadOptions options,
    ModelLoader loader,
    UnaryOperator<Model> opened,
    BuiltAhead ahead)
    implements PreparedModel {

  public PlannedLoad(
      Compiled compiled, LoadOptions options, ModelLoader loader, UnaryOperator<Model> opened) {
    this(compiled, options, loader, opened, new BuiltAhead());
  }

  @Override
  public String name() {
    return compiled.name();
  }

  @Override
  public int largestBatch() {
    return compiled.lowered().graph().hasBatch() ? options.maxBatch() : 1;
  }

  @Override
  public boolean isSizedByRequests() {
    return false;
  }

  @Override
  public long bytes(int maxBatch) {
    return loader.missingBytes(compiled.weights()) + reservation(maxBatch).arenaBytes();
  }

  @Override
  public long bytesBroughtBy(Collection<PreparedModel> others) {
    List<WeightSet> weights = new ArrayList<>();
    for (PreparedModel other : others) {
      if (other instanceof PlannedLoad planned) {
        weights.add(planned.compiled.weights());
      }
    }
    return loader.bytesBroughtBy(weights, compiled.weights());
  }

  @Override
  public PlanReport plan(int maxBatch, int batch) {
    return new PlanReports(compiled, reservation(maxBatch), loader.device()).apply(batch);
  }

  private Reservation reservation(int maxBatch) {
    return Reservation.of(compiled, options.withMaxBatch(maxBatch), loader.device());
  }

  @Override
  public void build() {
    ahead.build(() -> loader.program(compiled));
  }

  @Override
  public void close() {
    ahead.close();
  }

  @Override
  public Model load(int maxBatch) {
    Model loaded = loader.load(compiled, options.withMaxBatch(maxBatch), ahead);
    try {
      return opened.apply(PaddedModel.of(loaded, options.padding()));
    } catch (Throwable e) {
      loaded.close();
      throw e;
    }
  }
}
