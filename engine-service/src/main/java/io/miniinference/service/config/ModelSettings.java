package io.miniinference.service.config;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What is set for one model: the properties `engine.models.settings.NAME.*`. A name of more than
/// letters, digits, `-` and `_` stands in brackets: `engine.models.settings[resnet18.v1].…`.
///
/// @param dimensions Sizes of open dimensions by their symbols, which fixes them at load:
///   `dimensions.sequence=128`.
/// @param prepare Shapes that are compiled before the model is ready, each as the sizes of its
///   symbols, with semicolons between shapes: `batch=1,sequence=128; batch=8,sequence=128`.
/// @param maxBatchSize Largest batch of one request, in place of `engine.batching.max-size`.
/// @param instances Requests that are served side by side, in place of `engine.instances`.
/// @param required Whether the service is not ready without this model, whatever
///   `engine.models.required` says.
public record ModelSettings(
    @DefaultValue Map<String, @Min(0) Long> dimensions,
    @DefaultValue("") String prepare,
    @Nullable @Min(1) @Max(65_536) Integer maxBatchSize,
    @Nullable @Min(0) @Max(64) Integer instances,
    @Nullable Boolean required) {
  public ModelSettings {
    dimensions = Map.copyOf(dimensions);
  }

  /// Nothing set.
  public static ModelSettings none() {
    return new ModelSettings(Map.of(), "", null, null, null);
  }
}
