package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.pool.PoolStatistics;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/// `/actuator/memorypool`: the pool's figures and its map, a line for each block.
@WebEndpoint(id = "memorypool")
final class MemoryPoolEndpoint {
  private final InferenceEngine engine;

  MemoryPoolEndpoint(InferenceEngine engine) {
    this.engine = engine;
  }

  @ReadOperation
  Map<String, Object> show() {
    PoolStatistics figures = engine.runtime().pool().statistics();
    return Map.of(
        "statistics", figures, "map", engine.runtime().pool().memoryMap().text().lines().toList());
  }
}
