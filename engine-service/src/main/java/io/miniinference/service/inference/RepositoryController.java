package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.describe.Descriptions;
import io.miniinference.service.describe.IndexEntry;
import io.miniinference.service.json.JsonCursor;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The repository of models: `POST /v2/repository/index`. Loading and unloading are refused.
@RestController
final class RepositoryController {
  private static final int MOST_BYTES = 64 << 10;

  private final Descriptions descriptions;

  RepositoryController(Descriptions descriptions) {
    this.descriptions = descriptions;
  }

  @PostMapping({"/v2/repository/index", "/v2/repository/{repository}/index"})
  ResponseEntity<List<IndexEntry>> index(HttpServletRequest request) throws IOException {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(descriptions.index(readyOnly(request)));
  }

  @PostMapping({
    "/v2/repository/models/{model}/load",
    "/v2/repository/models/{model}/unload",
    "/v2/repository/{repository}/models/{model}/load",
    "/v2/repository/{repository}/models/{model}/unload"
  })
  void change() {
    throw descriptions.loadingIsOff();
  }

  /* The body may be missing. */
  private static boolean readyOnly(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(MOST_BYTES);
    var ready = new AtomicBoolean();
    if (body.length > 0) {
      var json = new JsonCursor(body, 0, body.length);
      json.object(key -> readField(json, key, ready));
      json.expectEnd();
    }
    return ready.getPlain();
  }

  private static void readField(JsonCursor json, String key, AtomicBoolean ready) {
    if (!key.equals("ready")) {
      json.skip();
      return;
    }
    if (json.kind() != JsonCursor.Kind.BOOLEAN) {
      throw new InvalidRequestException("'ready' must be true or false, got " + json.excerpt());
    }
    ready.setPlain(json.bool());
  }
}
