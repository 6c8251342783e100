package io.miniinference.spring.observe;

import io.miniinference.pool.MemoryPool;
import io.miniinference.runtime.Engine;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeTypeUtils;

/// `/actuator/memorypool`: the pool's figures and its map, as JSON or (`Accept: text/plain`) text.
/// Status 503 while the engine is not open.
@WebEndpoint(id = "memorypool")
final class MemoryPoolEndpoint {
  private final EngineView view;

  MemoryPoolEndpoint(EngineView view) {
    this.view = view;
  }

  @ReadOperation(producesFrom = PoolFormat.class)
  WebEndpointResponse<String> show(PoolFormat format) {
    Optional<MemoryPool> pool = view.engine().map(Engine::pool);
    return pool.map(open ->
            new WebEndpointResponse<>(
                format.of(open), WebEndpointResponse.STATUS_OK, format.getProducedMimeType()))
        .orElseGet(() ->
            new WebEndpointResponse<>(
                view.whyClosed(),
                WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                MimeTypeUtils.TEXT_PLAIN));
  }
}
