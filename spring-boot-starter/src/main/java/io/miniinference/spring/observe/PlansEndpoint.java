package io.miniinference.spring.observe;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.NotPlannedException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeTypeUtils;

/// `/actuator/plans/{model}[?batch=N]`: the certificate of a model's memory plan, as JSON, as a
/// picture (`Accept: image/svg+xml`, or `?format=svg` for browsers) or as text (`Accept:
/// text/plain`). Status 409 for a model that is compiled per shape and has been for none yet.
@WebEndpoint(id = "plans")
@SuppressWarnings("deprecation") // Spring's own annotation, which Spring Boot 3 looks for
final class PlansEndpoint {
  private static final int CONFLICT = 409;

  private final EngineView view;

  PlansEndpoint(EngineView view) {
    this.view = view;
  }

  @ReadOperation
  Map<String, List<String>> models() {
    return Map.of("models", loaded());
  }

  private List<String> loaded() {
    return view.models().stream().filter(m -> m.model() != null).map(ModelView::name).toList();
  }

  @ReadOperation(producesFrom = PlanFormat.class)
  WebEndpointResponse<String> plan(
      PlanFormat accepted,
      @Selector String model,
      @org.springframework.lang.Nullable @Nullable Integer batch,
      @org.springframework.lang.Nullable @Nullable String format) {
    Model found = view.model(model).map(ModelView::model).orElse(null);
    if (found == null) {
      return new WebEndpointResponse<>(
          "no model '%s' is loaded; there are plans of %s".formatted(model, loaded()),
          WebEndpointResponse.STATUS_NOT_FOUND,
          MimeTypeUtils.TEXT_PLAIN);
    }
    PlanFormat chosen = format == null ? accepted : PlanFormat.named(format);
    try {
      String body = chosen.of(found.plan(checked(batch == null ? 1 : batch, found)));
      return new WebEndpointResponse<>(
          body, WebEndpointResponse.STATUS_OK, chosen.getProducedMimeType());
    } catch (NotPlannedException e) {
      return new WebEndpointResponse<>(e.getMessage(), CONFLICT, MimeTypeUtils.TEXT_PLAIN);
    }
  }

  private static int checked(int batch, Model model) {
    if (batch < 1 || batch > model.maxBatch()) {
      String outside = "batch " + batch + " is outside [1, " + model.maxBatch() + "]";
      throw new InvalidEndpointRequestException(outside, outside);
    }
    return batch;
  }
}
