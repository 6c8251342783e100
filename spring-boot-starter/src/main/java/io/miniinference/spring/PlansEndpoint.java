package io.miniinference.spring;

import io.miniinference.engine.InferenceModel;
import io.miniinference.runtime.PlanReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/// `/actuator/plans/{model}[?batch=N]`: the certificate of a model's memory plan, as JSON, as a
/// picture (`Accept: image/svg+xml`) or as text (`Accept: text/plain`).
@WebEndpoint(id = "plans")
final class PlansEndpoint {
  private final LoadedModels models;

  PlansEndpoint(LoadedModels models) {
    this.models = models;
  }

  @ReadOperation
  Map<String, List<String>> names() {
    return Map.of("models", models.all().stream().map(InferenceModel::name).toList());
  }

  @ReadOperation(producesFrom = PlanFormat.class)
  WebEndpointResponse<String> plan(
      PlanFormat format, @Selector String model, @Nullable Integer batch) {
    return models
        .find(model)
        .map(found -> answer(format, plan(found, batch == null ? 1 : batch)))
        .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
  }

  private static WebEndpointResponse<String> answer(PlanFormat format, PlanReport plan) {
    return new WebEndpointResponse<>(
        format.of(plan), WebEndpointResponse.STATUS_OK, format.getProducedMimeType());
  }

  private static PlanReport plan(InferenceModel model, int batch) {
    if (batch < 1 || batch > model.maxBatch()) {
      throw new InvalidEndpointRequestException(
          "batch " + batch + " is outside [1, " + model.maxBatch() + "]", "batch out of range");
    }
    return model.runtime().plan(batch);
  }
}
