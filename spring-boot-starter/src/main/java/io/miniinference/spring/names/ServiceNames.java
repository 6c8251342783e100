package io.miniinference.spring.names;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The properties that the service has and an application does not: those about requests over a
/// network, and about models that come and go.
final class ServiceNames {
  /// Stands for a model's name.
  private static final String ANY = "NAME";

  private static final List<String> BELOW_ROOT =
      List.of(
          "batching.enabled",
          "batching.max-delay",
          "device-loss.liveness-after",
          "http.allowed-origins",
          "http.body-min-rate",
          "http.body-timeout",
          "http.drain-time",
          "http.max-body-size",
          "http.max-connections-per-address",
          "http.refused-pause",
          "inference.token",
          "metrics.triton-names",
          "models.required",
          "models.served-name",
          "models.settings.NAME.required",
          "models.settings.NAME.versions",
          "models.settings.NAME.max-delay",
          "models.settings.NAME.priority",
          "models.settings.NAME.labels",
          "queue.full-status",
          "queue.max-bytes",
          "queue.max-bytes-per-model",
          "queue.max-requests",
          "queue.max-requests-per-model",
          "queue.max-wait",
          "repository.poll",
          "repository.token",
          "repository.unsafe-without-token");

  private ServiceNames() {}

  /// Their names below `engine`.
  static KnownNames belowRoot() {
    return tree(BELOW_ROOT);
  }

  private static KnownNames tree(List<String> names) {
    Map<String, List<String>> below = new LinkedHashMap<>();
    for (String name : names) {
      int dot = name.indexOf('.');
      List<String> rests =
          below.computeIfAbsent(dot < 0 ? name : name.substring(0, dot), _ -> new ArrayList<>());
      if (dot >= 0) {
        rests.add(name.substring(dot + 1));
      }
    }
    Map<String, KnownNames> children = new LinkedHashMap<>();
    below.forEach((name, rests) -> children.put(name, child(rests)));
    return new KnownNames.Group(children);
  }

  private static KnownNames child(List<String> rests) {
    if (rests.isEmpty()) {
      return new KnownNames.Values();
    }
    return rests.stream().allMatch(rest -> rest.startsWith(ANY + "."))
        ? new KnownNames.AnyName(
            tree(rests.stream().map(rest -> rest.substring(ANY.length() + 1)).toList()))
        : tree(rests);
  }
}
