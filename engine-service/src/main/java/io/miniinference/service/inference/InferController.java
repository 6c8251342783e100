package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.ServedModel;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// `POST /v2/models/{model}[/versions/{version}]/infer`. The body is read as JSON from the raw
/// stream, whatever its Content-Type: clients send none, or that of a form.
@RestController
final class InferController {
  private static final String BINARY_HEADER = "Inference-Header-Content-Length";

  private final Catalog catalog;
  private final InferenceService service;

  InferController(Catalog catalog, InferenceService service) {
    this.catalog = catalog;
    this.service = service;
  }

  @PostMapping({"/v2/models/{model}/infer", "/v2/models/{model}/versions/{version}/infer"})
  void infer(
      @PathVariable String model,
      @PathVariable(required = false) @Nullable String version,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    ServedModel served = catalog.ready(model, version);
    if (request.getHeader(BINARY_HEADER) != null) {
      throw new InvalidRequestException(
          "binary tensor data are not supported: send values as JSON 'data', without the header "
              + BINARY_HEADER);
    }
    send(InferResponseWriter.write(service.infer(served, request)), response);
  }

  private static void send(ByteArrayOutputStream json, HttpServletResponse response)
      throws IOException {
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(json.size());
    json.writeTo(response.getOutputStream());
  }
}
