package io.miniinference.service.settings;

import io.miniinference.lower.Precision;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/// The settings of a model as its `model.yaml` has them, under the names of the properties
/// `engine.models.settings.NAME.*`:
///
/// ```yaml
/// max-batch-size: 32
/// max-delay: 2ms
/// prepare:
///   - {batch: 1, sequence: 128}
/// labels:
///   probabilities: labels.txt
/// ```
final class ModelYaml {
  private static final int DEEPEST = 8;
  private static final List<String> KEYS =
      List.of(
          "bounds",
          "dimensions",
          "instances",
          "labels",
          "max-batch-size",
          "max-delay",
          "padding",
          "precision",
          "prepare",
          "priority",
          "required",
          "versions");

  private static final String PRECISIONS =
      Stream.of(Precision.values())
          .map(it -> it.name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));

  private final String file;
  private final Map<?, ?> values;

  private ModelYaml(String file, Map<?, ?> values) {
    this.file = file;
    this.values = values;
  }

  /// Reads a file's text.
  ///
  /// @throws SettingsException that names the file, the key and the value
  static ModelSettings parse(String file, String text) {
    Object root;
    try {
      root = new Yaml(new SafeConstructor(options())).load(text);
    } catch (YAMLException | NumberFormatException e) { // of what looks like a number, such as `._`
      throw new SettingsException(file + " is not YAML: " + e.getMessage(), e);
    }
    if (root == null) {
      return ModelSettings.none();
    }
    if (!(root instanceof Map<?, ?> map)) {
      throw new SettingsException(file + " is not a mapping of keys to values");
    }
    return new ModelYaml(file, map).settings();
  }

  private static LoaderOptions options() {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setAllowRecursiveKeys(false);
    options.setMaxAliasesForCollections(0);
    options.setNestingDepthLimit(DEEPEST);
    return options;
  }

  private ModelSettings settings() {
    values.keySet().forEach(this::checkKey);
    try {
      return new ModelSettings(
          numbers("dimensions"),
          prepare(),
          number("max-batch-size"),
          number("instances"),
          bool("required"),
          text("versions"),
          values.containsKey("max-delay") ? DurationStyle.detectAndParse(need("max-delay")) : null,
          number("priority"),
          numbers("bounds"),
          numbers("padding"),
          precision(),
          texts("labels"));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(file + ": " + e.getMessage(), e);
    }
  }

  private void checkKey(Object key) {
    String name = String.valueOf(key);
    if (!KEYS.contains(name)) {
      throw new SettingsException(
          "%s: unknown key '%s'; %s".formatted(file, shortened(name), Nearest.to(name, KEYS, "")));
    }
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  private @Nullable Integer number(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof Integer) {
      return (Integer) value;
    }
    throw noNumber(key, value);
  }

  private SettingsException noNumber(String key, Object value) {
    return value instanceof String text && text.matches("-?[0-9]+")
        ? wrong(key, "a whole number: leave out its quotes", '"' + text + '"')
        : wrong(key, "a whole number", value);
  }

  private @Nullable Boolean bool(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof Boolean) {
      return (Boolean) value;
    }
    throw wrong(key, "true or false", value);
  }

  private @Nullable String text(String key) {
    Object value = values.get(key);
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Integer number -> number.toString();
      case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
      default -> throw wrong(key, "a text", value);
    };
  }

  private String need(String key) {
    String text = text(key);
    if (text == null) {
      throw wrong(key, "a text", "nothing");
    }
    return text;
  }

  private @Nullable Precision precision() {
    String name = text("precision");
    if (name == null) {
      return null;
    }
    return Stream.of(Precision.values())
        .filter(it -> it.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> wrong("precision", "one of " + PRECISIONS, name));
  }

  private Map<String, Long> numbers(String key) {
    return numbers(key, values.get(key));
  }

  private Map<String, Long> numbers(String key, @Nullable Object value) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    map(key, value).forEach((name, number) -> numbers.put(name, whole(key + "." + name, number)));
    return numbers;
  }

  /* A range of sizes is a text. */
  private Map<String, Object> sizes(@Nullable Object shape) {
    Map<String, Object> sizes = map("prepare", shape);
    sizes.forEach((name, size) -> {
      if (!(size instanceof String)) {
        whole("prepare." + name, size);
      }
    });
    return sizes;
  }

  private Long whole(String key, Object value) {
    if (value instanceof Number number && !(value instanceof Double)) {
      return number.longValue();
    }
    throw noNumber(key, value);
  }

  private Map<String, String> texts(String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    map(key, values.get(key)).forEach((name, text) -> texts.put(name, String.valueOf(text)));
    return texts;
  }

  private Map<String, Object> map(String key, @Nullable Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> given) {
      given.forEach((name, one) -> map.put(String.valueOf(name), one == null ? "" : one));
    } else if (value != null) {
      throw wrong(key, "a mapping", value);
    }
    return map;
  }

  /* As the property has it, or as a list of mappings. */
  private String prepare() {
    Object value = values.get("prepare");
    if (!(value instanceof List<?> shapes)) {
      String text = text("prepare");
      return text == null ? "" : text;
    }
    List<String> texts = new ArrayList<>();
    for (Object shape : shapes) {
      texts.add(
          sizes(shape).entrySet().stream()
              .map(size -> size.getKey() + "=" + size.getValue())
              .collect(Collectors.joining(",")));
    }
    return String.join(";", texts);
  }

  private SettingsException wrong(String key, String wanted, Object value) {
    return new SettingsException(
        "%s: '%s' is %s, not %s".formatted(file, key, shortened(String.valueOf(value)), wanted));
  }
}
