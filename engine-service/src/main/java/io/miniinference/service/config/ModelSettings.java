package io.miniinference.service.config;

import jakarta.validation.constraints.Min;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What is set for one model: the properties `engine.models.settings.NAME.*`. A name of more than
/// letters, digits, `-` and `_` stands in brackets: `engine.models.settings[resnet18.v1].…`.
///
/// @param dimensions Sizes of open dimensions by their symbols, which fixes them at load:
///   `dimensions.sequence=128`.
/// @param prepare Shapes that are compiled before the model is ready, each as the sizes of its
///   symbols, with semicolons between shapes: `batch=1,sequence=128; batch=8,sequence=128`.
public record ModelSettings(
    @DefaultValue Map<String, @Min(0) Long> dimensions, @DefaultValue("") String prepare) {
  public ModelSettings {
    dimensions = Map.copyOf(dimensions);
  }

  /// Nothing set.
  public static ModelSettings none() {
    return new ModelSettings(Map.of(), "");
  }
}
