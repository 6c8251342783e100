package io.miniinference.service.helm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;

/// The Kubernetes objects that the chart makes.
record Manifests(List<JsonNode> objects) {

  List<String> kinds() {
    return objects.stream().map(object -> object.path("kind").stringValue()).toList();
  }

  /// The one object of a kind.
  JsonNode only(String kind) {
    List<JsonNode> found =
        objects.stream().filter(object -> object.path("kind").stringValue().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError("not one " + kind + " among " + kinds());
    }
    return found.getFirst();
  }

  JsonNode pod() {
    return only("Deployment").at("/spec/template/spec");
  }

  JsonNode container() {
    return pod().at("/containers/0");
  }

  /// The element of an array that has this name; a missing node if none has.
  static JsonNode named(JsonNode array, String name) {
    return StreamSupport.stream(array.spliterator(), false)
        .filter(element -> element.path("name").asString("").equals(name))
        .findFirst()
        .orElseGet(() -> array.path("none"));
  }

  String environment(String variable) {
    return named(container().path("env"), variable).path("value").asString("");
  }

  /// The service's configuration file, as Spring Boot reads it.
  PropertySource<?> properties() {
    String text = only("ConfigMap").at("/data/application.yaml").stringValue();
    try {
      return new YamlPropertySourceLoader()
          .load("application.yaml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
          .getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
