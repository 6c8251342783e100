package io.miniinference.service.inference;

import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.describe.Unoffered;
import io.miniinference.service.http.ClientConnection;
import io.miniinference.service.scheduling.Cancellation;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.AnswerLimit;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.Inference;
import io.miniinference.service.serving.InferenceToken;
import io.miniinference.service.serving.RequestSource;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The V1 protocol of KServe: `POST /v1/models/{model}:predict`, `GET /v1/models[/{model}]`.
@RestController
final class PredictController {
  private final Catalog catalog;
  private final Inference inference;
  private final BodyReader bodies;
  private final InferenceToken token;
  private final AnswerLimit limit;

  PredictController(
      Catalog catalog,
      Inference inference,
      BodyReader bodies,
      InferenceToken token,
      AnswerLimit limit) {
    this.catalog = catalog;
    this.inference = inference;
    this.bodies = bodies;
    this.token = token;
    this.limit = limit;
  }

  record ModelList(List<String> models) {}

  record ModelReady(String name, boolean ready) {}

  @GetMapping("/v1/models")
  ResponseEntity<ModelList> models() {
    return json(new ModelList(catalog.entries().stream().map(CatalogEntry::name).toList()));
  }

  @GetMapping("/v1/models/{model}")
  ResponseEntity<ModelReady> model(@PathVariable String model)
      throws HttpRequestMethodNotSupportedException {
    requireModel(model);
    return json(new ModelReady(catalog.ready(model, null).name(), true));
  }

  /* What is posted to a model is no model of such a name. */
  private static void requireModel(String name) throws HttpRequestMethodNotSupportedException {
    if (name.endsWith(":predict")) {
      throw new HttpRequestMethodNotSupportedException("GET", List.of("POST"));
    }
    if (name.endsWith(":explain")) {
      throw new ServingException(ErrorKind.UNSUPPORTED, Unoffered.EXPLANATIONS.instead());
    }
  }

  @PostMapping("/v1/models/{model}:predict")
  void predict(@PathVariable String model, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var rows = new AtomicLong();
    token.admit(request.getHeader(HttpHeaders.AUTHORIZATION));
    Terms terms = Terms.of(Cancellation.byLooking(ClientConnection.of(request)::isGone));
    RequestSource source =
        (rules, holds) -> {
          var read =
              bodies.read(request, holds, body -> PredictRequestReader.read(body, rules, terms));
          rows.setPlain(read.rows());
          return read.request();
        };
    InferResponse answer = catalog.use(model, null, served -> inference.infer(served, source));
    limit.check(answer, _ -> false);
    Encoding encoding = Encoding.accepted(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
    RestResponse.ofJson(PredictResponseWriter.write(answer, rows.getPlain()))
        .send(response, encoding);
  }

  private static <T> ResponseEntity<T> json(T body) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
  }
}
