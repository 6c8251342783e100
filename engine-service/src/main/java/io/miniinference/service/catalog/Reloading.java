package io.miniinference.service.catalog;

import io.miniinference.service.catalog.CatalogEntry.Ready;
import io.miniinference.service.engine.RunningEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// Loads models again as they were, into a pool that is new.
@Component
final class Reloading {
  private final RunningEngine engine;
  private final Preparation preparation;
  private final ModelLoads loads;

  Reloading(RunningEngine engine, Preparation preparation, ModelLoads loads) {
    this.engine = engine;
    this.preparation = preparation;
    this.loads = loads;
  }

  /// What became of each model, for batches as large as before.
  List<CatalogEntry> reload(List<Ready> before) {
    Map<Candidate, Integer> batches = new ConcurrentHashMap<>();
    before.forEach(ready -> batches.put(ready.candidate(), ready.model().reservedBatch()));
    List<CatalogEntry> entries = new ArrayList<>();
    List<Prepared> prepared =
        preparation.prepare(
            before.stream().map(Ready::candidate).toList(),
            (candidate, why) -> failed(candidate, why, entries));
    for (Prepared one : prepared) {
      load(
          one,
          Math.min(batches.getOrDefault(one.candidate(), 1), one.model().largestBatch()),
          entries);
    }
    return entries;
  }

  private void load(Prepared prepared, int batch, List<CatalogEntry> entries) {
    if (engine.isLost()) {
      return; // all of it is done again
    }
    try {
      entries.add(loads.load(prepared, batch, 1));
    } catch (Throwable e) {
      failed(prepared.candidate(), e, entries);
    }
  }

  private static void failed(Candidate candidate, Throwable why, List<CatalogEntry> entries) {
    String problem = LoadProblem.of(candidate.name(), why);
    synchronized (entries) {
      entries.add(new CatalogEntry.Failed(candidate.name(), candidate.version(), problem));
    }
  }
}
