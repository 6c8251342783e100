package io.miniinference.service.config;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
/// @param versions Which versions are served: `all`, `latest`, `latest:COUNT`, or numbers with
///   commas between; all if not set.
public record ModelSettings(
    @DefaultValue Map<String, @Min(0) Long> dimensions,
    @DefaultValue("") String prepare,
    @Nullable @Min(1) @Max(65_536) Integer maxBatchSize,
    @Nullable @Min(0) @Max(64) Integer instances,
    @Nullable Boolean required,
    @Nullable String versions) {
  private static final Pattern SIZE = Pattern.compile("(.*\\S)\\s*=\\s*([0-9]{1,18})");

  public ModelSettings {
    dimensions = Map.copyOf(dimensions);
    shapes(prepare);
    VersionPolicy.parse(versions == null ? "all" : versions);
  }

  /// Which versions of the model are served.
  public VersionPolicy versionPolicy() {
    return VersionPolicy.parse(versions == null ? "all" : versions);
  }

  /// The shapes of [#prepare], each as sizes by symbol.
  public List<Map<String, Long>> preparedShapes() {
    return shapes(prepare);
  }

  private static List<Map<String, Long>> shapes(String text) {
    return Arrays.stream(text.split(";"))
        .map(String::strip)
        .filter(shape -> !shape.isEmpty())
        .map(ModelSettings::sizes)
        .toList();
  }

  private static Map<String, Long> sizes(String shape) {
    Map<String, Long> sizes = new TreeMap<>();
    for (String size : shape.split(",")) {
      Matcher matcher = SIZE.matcher(size.strip());
      if (!matcher.matches()
          || sizes.put(matcher.group(1), Long.valueOf(matcher.group(2))) != null) {
        throw new IllegalArgumentException(
            "prepare has '%s' in '%s': write SYMBOL=SIZE, each symbol once, as in batch=1,sequence=128"
                .formatted(size.strip(), shape));
      }
    }
    return sizes;
  }

  /// Nothing set.
  public static ModelSettings none() {
    return new ModelSettings(Map.of(), "", null, null, null, null);
  }
}
