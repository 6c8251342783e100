package io.miniinference.service.catalog;

import io.miniinference.engine.BatchSharing;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.service.config.EngineProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which versions have room first where the pool is short: the newest of each model that is
/// required by its name, then the newest of each other, then the second newest, and so on.
final class RoomOrder {
  private RoomOrder() {}

  /// The largest batch of each version in what is free of a pool, 0 for one without room.
  ///
  /// @param prepared of those of one model the newest first
  static List<Integer> batches(
      List<Prepared> prepared, EngineProperties.Models properties, MemoryPool pool) {
    PoolStatistics now = pool.statistics();
    return BatchSharing.batches(claims(prepared, properties), now.freeBytes() + now.heldBytes());
  }

  private static List<BatchSharing.Claim> claims(
      List<Prepared> prepared, EngineProperties.Models properties) {
    Map<String, Integer> newer = new HashMap<>();
    List<BatchSharing.Claim> claims = new ArrayList<>();
    for (Prepared one : prepared) {
      int age = newer.merge(one.candidate().name(), 1, Integer::sum);
      boolean isFirst = age == 1 && isRequired(one.candidate(), properties);
      claims.add(new BatchSharing.Claim(one.model(), isFirst ? 0 : age));
    }
    return claims;
  }

  private static boolean isRequired(Candidate candidate, EngineProperties.Models properties) {
    return Boolean.TRUE.equals(candidate.settings().required())
        || properties.isRequiredByName(candidate.name());
  }
}
