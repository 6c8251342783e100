package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.describe.Descriptions;
import io.miniinference.service.describe.IndexEntry;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.repository.RepositoryApi;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The repository of models: `POST /v2/repository/index`, and `POST
/// /v2/repository/models/{model}/load` and `unload`. A name of a repository in the path says
/// nothing, since there is one.
@RestController
final class RepositoryController {
  private static final int MOST_BYTES = 64 << 10;

  private final Descriptions descriptions;
  private final RepositoryApi repository;
  private final PacedStream.Pace pace;

  RepositoryController(
      Descriptions descriptions, RepositoryApi repository, EngineProperties properties) {
    this.descriptions = descriptions;
    this.repository = repository;
    pace = PacedStream.Pace.of(properties);
  }

  @PostMapping({"/v2/repository/index", "/v2/repository/{repository}/index"})
  ResponseEntity<List<IndexEntry>> index(HttpServletRequest request) throws IOException {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(descriptions.index(readyOnly(request)));
  }

  @PostMapping({
    "/v2/repository/models/{model}/load",
    "/v2/repository/{repository}/models/{model}/load"
  })
  void load(@PathVariable String model, HttpServletRequest request) throws IOException {
    repository.admit(request.getHeader(HttpHeaders.AUTHORIZATION));
    repository.load(model, parameters(request));
  }

  @PostMapping({
    "/v2/repository/models/{model}/unload",
    "/v2/repository/{repository}/models/{model}/unload"
  })
  void unload(@PathVariable String model, HttpServletRequest request) throws IOException {
    repository.admit(request.getHeader(HttpHeaders.AUTHORIZATION));
    repository.unload(model, parameters(request).keySet());
  }

  private boolean readyOnly(HttpServletRequest request) throws IOException {
    var ready = new AtomicBoolean();
    read(
        request,
        (json, key) -> {
          if (key.equals("ready")) {
            ready.setPlain(bool(json));
          } else {
            json.skip();
          }
        });
    return ready.getPlain();
  }

  private static boolean bool(JsonCursor json) {
    if (json.kind() != JsonCursor.Kind.BOOLEAN) {
      throw new InvalidRequestException("'ready' must be true or false, got " + json.excerpt());
    }
    return json.bool();
  }

  /* By name; empty where one is no text. */
  private Map<String, Optional<String>> parameters(HttpServletRequest request) throws IOException {
    Map<String, Optional<String>> parameters = new HashMap<>();
    read(
        request,
        (json, key) -> {
          if (key.equals("parameters")) {
            object("'parameters'", json, name -> parameters.put(name, text(json)));
          } else {
            json.skip();
          }
        });
    return parameters;
  }

  private static Optional<String> text(JsonCursor json) {
    if (json.kind() == JsonCursor.Kind.STRING) {
      return Optional.of(json.string());
    }
    json.skip();
    return Optional.empty();
  }

  private static void object(String what, JsonCursor json, Consumer<String> field) {
    if (json.kind() != JsonCursor.Kind.OBJECT) {
      throw new InvalidRequestException(what + " must be a JSON object, got " + json.excerpt());
    }
    json.object(field);
  }

  /// Takes a field of the body's object.
  private interface Field {
    void read(JsonCursor json, String key);
  }

  /* The body may be missing. */
  private void read(HttpServletRequest request, Field field) throws IOException {
    Encoding encoding = Encoding.ofContent(request);
    byte[] body =
        BodyFaults.told(() ->
            encoding.read(
                new PacedStream(request.getInputStream(), pace),
                plain -> plain.readNBytes(MOST_BYTES + 1)));
    if (body.length > MOST_BYTES) {
      throw new ServingException(
          ErrorKind.UNSUPPORTED,
          "the body of a request to the repository is over "
              + MOST_BYTES
              + " bytes: a model's files come from the repository, not from requests");
    }
    if (body.length > 0) {
      var json = new JsonCursor(body, 0, body.length);
      object("the request", json, key -> field.read(json, key));
      json.expectEnd();
    }
  }
}
