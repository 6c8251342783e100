package io.miniinference.service.inference;

import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.describe.Descriptions;
import io.miniinference.service.describe.MessageJson;
import io.miniinference.service.describe.ModelDescription;
import io.miniinference.service.describe.ServerDescription;
import io.miniinference.service.describe.StatisticsReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// What the server and its models say of themselves: `GET /v2`, `/v2/models`, `/v2/models/stats`
/// and `/v2/models/{model}[/versions/{version}][/ready|/config|/stats]`.
@RestController
final class MetadataController {
  private final Catalog catalog;
  private final Descriptions descriptions;

  MetadataController(Catalog catalog, Descriptions descriptions) {
    this.catalog = catalog;
    this.descriptions = descriptions;
  }

  record ModelList(List<String> models) {}

  record ModelReady(String name, boolean ready) {}

  @GetMapping({"/v2", "/v2/"})
  ResponseEntity<ServerDescription> server() {
    return json(ServerDescription.own());
  }

  @GetMapping("/v2/models")
  ResponseEntity<ModelList> models() {
    return json(new ModelList(catalog.entries().stream().map(CatalogEntry::name).toList()));
  }

  @GetMapping({"/v2/models/{model}", "/v2/models/{model}/versions/{version}"})
  ResponseEntity<ModelDescription> model(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    return json(descriptions.metadata(model, version));
  }

  @GetMapping({"/v2/models/{model}/ready", "/v2/models/{model}/versions/{version}/ready"})
  ResponseEntity<ModelReady> ready(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    return json(new ModelReady(catalog.ready(model, version).name(), true));
  }

  @GetMapping({"/v2/models/{model}/config", "/v2/models/{model}/versions/{version}/config"})
  ResponseEntity<Map<String, Object>> configuration(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    return json(MessageJson.of(descriptions.configuration(model, version)));
  }

  @GetMapping({"/v2/models/{model}/stats", "/v2/models/{model}/versions/{version}/stats"})
  ResponseEntity<StatisticsReport> statistics(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    return json(descriptions.statistics(model, version));
  }

  @GetMapping("/v2/models/stats")
  ResponseEntity<StatisticsReport> statistics() {
    return json(descriptions.statistics());
  }

  /// JSON whatever the client says it accepts: clients of the protocol know nothing else.
  private static <T> ResponseEntity<T> json(T body) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
  }
}
