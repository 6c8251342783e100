package io.miniinference.service.config;

import io.miniinference.engine.PreparedShapes;
import io.miniinference.lower.Precision;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;

/// What is set for one model: the properties `engine.models.settings.NAME.*`. A name of more than
/// letters, digits, `-` and `_` stands in brackets: `engine.models.settings[resnet18.v1].…`.
///
/// @param dimensions Sizes of open dimensions by their symbols, which fixes them at load:
///   `dimensions.sequence=128`.
/// @param prepare Shapes that are compiled before the model is ready, each as the sizes of its
///   symbols, with semicolons between shapes: `batch=1,sequence=128; batch=8,sequence=128`. A range
///   stands for all its sizes: `sequence=16..512/16`.
/// @param maxBatchSize Largest batch of one request, in place of `engine.batching.max-size`.
/// @param instances Requests that are served side by side, in place of `engine.instances`.
/// @param required Whether the service is not ready without this model, whatever
///   `engine.models.required` says.
/// @param versions Which versions are served: `all`, `latest`, `latest:COUNT`, or numbers with
///   commas between; all if not set.
/// @param maxDelay Longest wait for others of a batch, in place of `engine.batching.max-delay`.
/// @param priority Priority of requests that name none: 1 goes first; 2 if not set.
/// @param bounds Largest sizes of open dimensions by their symbols; larger requests are refused,
///   and if all have one, a load takes room for the largest.
/// @param padding Multiples to which open dimensions are filled up with zeros, by their symbols
///   (`padding.sequence=16`): requests that become equal run together, and few shapes are planned.
///   For models that mask what is padded; answers may then be off by 1e-3 of the largest value of
///   their output, and a model whose answers a trial finds further off is refused.
/// @param precision How exactly it is computed, in place of `engine.precision`.
/// @param labels Files beside the model with the labels of an output's classes, one a line, by
///   output.
public record ModelSettings(
    @DefaultValue Map<String, @Min(0) Long> dimensions,
    @DefaultValue("") String prepare,
    @Nullable @Min(1) @Max(65_536) Integer maxBatchSize,
    @Nullable @Min(0) @Max(64) Integer instances,
    @Nullable Boolean required,
    @Nullable String versions,
    @Nullable @DurationMin Duration maxDelay,
    @Nullable @Min(1) Integer priority,
    @DefaultValue Map<String, @Min(0) Long> bounds,
    @DefaultValue Map<String, @Min(2) Long> padding,
    @Nullable Precision precision,
    @DefaultValue Map<String, String> labels) {
  public ModelSettings {
    dimensions = Map.copyOf(dimensions);
    bounds = Map.copyOf(bounds);
    padding = Map.copyOf(padding);
    labels = Map.copyOf(labels);
    require("max-batch-size", maxBatchSize, 1, 65_536);
    require("instances", instances, 0, 64);
    require("priority", priority, 1, Integer.MAX_VALUE);
    requireNoLess(maxDelay);
    padding.forEach(ModelSettings::requireMultiple);
    PreparedShapes.parse(prepare);
    VersionPolicy.parse(versions == null ? "all" : versions);
  }

  /* Files have no other check. */
  private static void require(String name, @Nullable Integer value, int least, int most) {
    if (value != null && (value < least || value > most)) {
      throw new IllegalArgumentException(
          "%s is %d, not from %d to %d".formatted(name, value, least, most));
    }
  }

  private static void requireNoLess(@Nullable Duration maxDelay) {
    if (maxDelay != null && maxDelay.isNegative()) {
      throw new IllegalArgumentException(
          "max-delay is %s, less than 0".formatted(DurationStyle.SIMPLE.print(maxDelay)));
    }
  }

  private static void requireMultiple(String symbol, long multiple) {
    if (multiple < 2) {
      throw new IllegalArgumentException(
          "padding.%s is %d, not 2 or more".formatted(symbol, multiple));
    }
  }

  /// These settings, and others where these set nothing.
  public ModelSettings over(ModelSettings others) {
    return new ModelSettings(
        both(dimensions, others.dimensions),
        prepare.isEmpty() ? others.prepare : prepare,
        first(maxBatchSize, others.maxBatchSize),
        first(instances, others.instances),
        first(required, others.required),
        first(versions, others.versions),
        first(maxDelay, others.maxDelay),
        first(priority, others.priority),
        both(bounds, others.bounds),
        both(padding, others.padding),
        first(precision, others.precision),
        both(labels, others.labels));
  }

  private static <T> @Nullable T first(@Nullable T own, @Nullable T other) {
    return own == null ? other : own;
  }

  private static <T> Map<String, T> both(Map<String, T> own, Map<String, T> others) {
    Map<String, T> all = new TreeMap<>(others);
    all.putAll(own);
    return all;
  }

  /// Which versions of the model are served.
  public VersionPolicy versionPolicy() {
    return VersionPolicy.parse(versions == null ? "all" : versions);
  }

  /// The shapes of [#prepare], each as sizes by symbol.
  public List<Map<String, Long>> preparedShapes() {
    return PreparedShapes.parse(prepare);
  }

  /// Nothing set.
  public static ModelSettings none() {
    return new ModelSettings(
        Map.of(), "", null, null, null, null, null, null, Map.of(), Map.of(), null, Map.of());
  }
}
