package io.miniinference.service.observe;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.NotPlannedException;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeTypeUtils;

/// `/actuator/plans/{model}[?batch=N]`: the certificate of a model's memory plan, as JSON, as a
/// picture (`Accept: image/svg+xml`, or `?format=svg` for browsers) or as text (`Accept:
/// text/plain`). Status 409 for a model that is compiled per shape and has been for none yet.
@Component
@WebEndpoint(id = "plans")
final class PlansEndpoint {
  private final Catalog catalog;

  PlansEndpoint(Catalog catalog) {
    this.catalog = catalog;
  }

  @ReadOperation
  Map<String, List<String>> models() {
    List<String> ready =
        catalog.entries().stream()
            .filter(CatalogEntry.Ready.class::isInstance)
            .map(CatalogEntry::name)
            .toList();
    return Map.of("models", ready);
  }

  @ReadOperation(producesFrom = PlanFormat.class)
  WebEndpointResponse<String> plan(
      PlanFormat accepted,
      @Selector String model,
      @Nullable Integer batch,
      @Nullable String format) {
    Model found = find(model);
    if (found == null) {
      return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }
    PlanFormat chosen = format == null ? accepted : PlanFormat.named(format);
    try {
      String body = chosen.of(found.plan(checked(batch == null ? 1 : batch, found)));
      return new WebEndpointResponse<>(
          body, WebEndpointResponse.STATUS_OK, chosen.getProducedMimeType());
    } catch (NotPlannedException e) {
      return new WebEndpointResponse<>(
          e.getMessage(), HttpStatus.CONFLICT.value(), MimeTypeUtils.TEXT_PLAIN);
    }
  }

  private @Nullable Model find(String name) {
    return catalog.entries().stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .map(CatalogEntry::readyModel)
        .orElse(null);
  }

  private static int checked(int batch, Model model) {
    if (batch < 1 || batch > model.maxBatch()) {
      throw new InvalidEndpointRequestException(
          "batch " + batch + " is outside [1, " + model.maxBatch() + "]", "batch out of range");
    }
    return batch;
  }
}
