package io.miniinference.service.inference;

import io.miniinference.runtime.Model;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// What the server and its models say of themselves: `GET /v2`, `/v2/models` and
/// `/v2/models/{model}[/versions/{version}][/ready]`.
@RestController
final class MetadataController {
  private static final String NAME = "mini-inference-engine";

  private final Catalog catalog;

  MetadataController(Catalog catalog) {
    this.catalog = catalog;
  }

  /// @param extensions of the protocol; none are spoken yet
  record ServerMetadata(String name, String version, List<String> extensions) {}

  record ModelList(List<String> models) {}

  record ModelMetadata(
      String name,
      List<String> versions,
      String platform,
      List<TensorMetadata> inputs,
      List<TensorMetadata> outputs) {}

  /// @param shape −1 for the batch, and for what else is open
  record TensorMetadata(String name, String datatype, long[] shape) {
    static List<TensorMetadata> of(List<TensorSpec> specs) {
      return specs.stream()
          .map(s -> new TensorMetadata(s.name(), s.element().v2Name(), s.declaredShape()))
          .toList();
    }
  }

  record ModelReady(String name, boolean ready) {}

  @GetMapping("/v2")
  ResponseEntity<ServerMetadata> server() {
    return json(new ServerMetadata(NAME, version(), List.of()));
  }

  private static String version() {
    String built = MetadataController.class.getPackage().getImplementationVersion();
    return built == null ? "development" : built;
  }

  @GetMapping("/v2/models")
  ResponseEntity<ModelList> models() {
    return json(new ModelList(catalog.entries().stream().map(CatalogEntry::name).toList()));
  }

  @GetMapping({"/v2/models/{model}", "/v2/models/{model}/versions/{version}"})
  ResponseEntity<ModelMetadata> model(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    ServedModel served = catalog.ready(model, version);
    Model loaded = served.model();
    return json(
        new ModelMetadata(
            served.name(),
            List.of(served.version()),
            "onnx_onnxv1",
            TensorMetadata.of(loaded.inputs()),
            TensorMetadata.of(loaded.outputs())));
  }

  @GetMapping({"/v2/models/{model}/ready", "/v2/models/{model}/versions/{version}/ready"})
  ResponseEntity<ModelReady> ready(
      @PathVariable String model, @PathVariable(required = false) @Nullable String version) {
    return json(new ModelReady(catalog.ready(model, version).name(), true));
  }

  /// JSON whatever the client says it accepts: clients of the protocol know nothing else.
  private static <T> ResponseEntity<T> json(T body) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
  }
}
