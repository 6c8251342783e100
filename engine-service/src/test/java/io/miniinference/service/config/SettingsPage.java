package io.miniinference.service.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `docs/settings.md`, made from the metadata that the compiler makes of the properties' Javadoc.
final class SettingsPage {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";

  private static final String HEAD =
      """
      # Settings

      All properties of the service. They are set as Spring Boot's are: `./mie serve --engine.device=jvm` on the command line,
      `ENGINE_DEVICE=jvm` in the environment, `engine.device: jvm` in an `application.yaml` in the working folder, or in the Helm
      chart's values. One that is misspelt is refused with the nearest name. A [Spring Boot application](embed.md) that embeds the engine has all
      but those with `*`, which are about requests over a network, and about models that come and go. Sizes are written `256MB` or `1GB`, durations `500ms` or `10s`.
      A variable of the environment has no dash, so what is set for a model by name (`engine.models.settings.NAME.*`) is set there only for names without one: for
      others use an `application.yaml`, or `SPRING_APPLICATION_JSON`.

      | property | values | default | what it does |
      |---|---|---|---|
      """;

  private SettingsPage() {}

  static String text() throws IOException {
    Set<String> shared = ofTheStarter();
    return HEAD
        + properties()
            .map(property -> row(property, shared))
            .collect(Collectors.joining("\n", "", "\n"));
  }

  private static Stream<JsonNode> properties() throws IOException {
    try (InputStream metadata =
        Objects.requireNonNull(
            EngineProperties.class.getClassLoader().getResourceAsStream(METADATA))) {
      JsonNode all = new JsonMapper().readTree(metadata).get("properties");
      return StreamSupport.stream(all.spliterator(), false)
          .filter(property -> name(property).startsWith("engine."))
          .sorted(Comparator.comparing(SettingsPage::name));
    }
  }

  private static String name(JsonNode property) {
    return property.get("name").asString();
  }

  /* Both modules have a file of that name. */
  private static Set<String> ofTheStarter() throws IOException {
    Set<String> names = new HashSet<>();
    ClassLoader modules = EngineProperties.class.getClassLoader();
    for (URL metadata : Collections.list(modules.getResources(METADATA))) {
      try (InputStream in = metadata.openStream()) {
        new JsonMapper()
            .readTree(in)
            .path("properties")
            .forEach(property -> {
              if (property.path("sourceType").asString("").startsWith("io.miniinference.spring.")) {
                names.add(name(property));
              }
            });
      }
    }
    return names;
  }

  private static String row(JsonNode property, Set<String> shared) {
    JsonNode usual = property.get("defaultValue");
    return "| `%s`%s | %s | %s | %s |"
        .formatted(
            name(property),
            shared.contains(name(property)) ? "" : " `*`",
            values(property.get("type").asString()),
            usual == null ? "" : "`" + usual(usual) + "`",
            property.path("description").asString().replace("|", "\\|"));
  }

  private static String usual(JsonNode usual) {
    return usual.isArray()
        ? StreamSupport.stream(usual.spliterator(), false)
            .map(JsonNode::asString)
            .collect(Collectors.joining(","))
        : usual.asString();
  }

  private static String values(String type) {
    String plain = type.replaceAll("<.*", "");
    return switch (plain) {
      case "java.lang.Boolean" -> "`true`, `false`";
      case "java.lang.Integer", "java.lang.Long", "java.lang.Double" -> "number";
      case "java.lang.String" -> "text";
      case "java.nio.file.Path" -> "path";
      case "java.time.Duration" -> "duration";
      case "java.util.List" -> "list";
      case "java.util.Map" -> "by model";
      case "org.springframework.util.unit.DataSize" -> "size";
      default -> constants(plain);
    };
  }

  private static String constants(String type) {
    try {
      Object[] constants = Objects.requireNonNull(Class.forName(type).getEnumConstants(), type);
      return Arrays.stream(constants)
          .map(constant -> "`" + constant.toString().toLowerCase(Locale.ROOT) + "`")
          .collect(Collectors.joining(", "));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("say how values of " + type + " are written", e);
    }
  }
}
