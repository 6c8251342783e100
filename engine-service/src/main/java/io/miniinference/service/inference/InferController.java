package io.miniinference.service.inference;

import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.http.ClientConnection;
import io.miniinference.service.scheduling.Cancellation;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.AnswerLimit;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.Inference;
import io.miniinference.service.serving.InferenceToken;
import io.miniinference.service.serving.RequestSource;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// `POST /v2/models/{model}[/versions/{version}]/infer`, in JSON and with binary tensors. The body
/// is read from the raw stream, whatever its Content-Type: clients send none, or that of a form.
@RestController
final class InferController {
  private final Catalog catalog;
  private final Inference inference;
  private final BodyReader bodies;
  private final InferenceToken token;
  private final AnswerLimit limit;

  InferController(
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

  @PostMapping({"/v2/models/{model}/infer", "/v2/models/{model}/versions/{version}/infer"})
  void infer(
      @PathVariable String model,
      @PathVariable(required = false) @Nullable String version,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var binary = new AtomicReference<List<Boolean>>(List.of());
    token.admit(request.getHeader(HttpHeaders.AUTHORIZATION));
    Terms terms = Terms.of(Cancellation.byLooking(ClientConnection.of(request)::isGone));
    RequestSource source =
        (rules, holds) -> {
          RestRequest read =
              bodies.read(request, holds, body -> InferRequestReader.read(body, rules, terms));
          binary.setPlain(read.binary());
          return read.request();
        };
    InferResponse answer = catalog.use(model, version, served -> inference.infer(served, source));
    limit.check(answer, binary.getPlain()::get);
    Encoding encoding = Encoding.accepted(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
    RestResponse.of(answer, binary.getPlain()).send(response, encoding);
  }
}
