package io.miniinference.service.observe;

import io.miniinference.pool.MemoryMap;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.service.engine.RunningEngine;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeType;
import tools.jackson.databind.json.JsonMapper;

/// `/actuator/memorypool`: the pool's figures and its map, as JSON or (`Accept: text/plain`) text.
@Component
@WebEndpoint(id = "memorypool")
final class MemoryPoolEndpoint {
  private final RunningEngine engine;
  private final JsonMapper json;

  MemoryPoolEndpoint(RunningEngine engine, JsonMapper json) {
    this.engine = engine;
    this.json = json;
  }

  @ReadOperation(producesFrom = PoolFormat.class)
  WebEndpointResponse<String> show(PoolFormat format) {
    MemoryPool pool = engine.engine().pool();
    PoolStatistics figures = pool.statistics();
    MemoryMap map = pool.memoryMap();
    String body =
        switch (format) {
          case JSON -> json(figures, map);
          case TEXT -> text(figures) + "\n" + map.text();
        };
    MimeType type = format.getProducedMimeType();
    return new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_OK, type);
  }

  private String json(PoolStatistics figures, MemoryMap map) {
    var root = json.createObjectNode();
    var statistics = json.valueToTree(figures).asObject();
    statistics.put("utilization", figures.utilization());
    statistics.put("fragmentationRatio", figures.fragmentationRatio());
    statistics.put("paddingBytes", figures.paddingBytes());
    root.set("statistics", statistics);
    root.set("map", json.readTree(map.json()));
    return json.writeValueAsString(root);
  }

  private static String text(PoolStatistics pool) {
    return """
    capacity %,d bytes
    used     %,d bytes in %d blocks, peak %,d
    held     %,d bytes in %d blocks
    free     %,d bytes in %d blocks, largest %,d
    utilization %.1f %%, fragmentation %.1f %%
    """
        .formatted(
            pool.capacityBytes(),
            pool.usedBytes(),
            pool.usedBlocks(),
            pool.peakUsedBytes(),
            pool.heldBytes(),
            pool.heldBlocks(),
            pool.freeBytes(),
            pool.freeBlocks(),
            pool.largestFreeBytes(),
            100 * pool.utilization(),
            100 * pool.fragmentationRatio());
  }
}
