package io.miniinference.service.startup;

import io.miniinference.service.describe.ServerDescription;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The description of the REST interface in the form of OpenAPI 3.1.
///
/// @param root its JSON, with the version of this service
record ApiDocument(JsonNode root) {
  private static final String RESOURCE = "/openapi.json";

  static ApiDocument read() {
    try (InputStream in =
        Objects.requireNonNull(ApiDocument.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      JsonNode root = JsonMapper.shared().readTree(in);
      ((ObjectNode) root.path("info")).put("version", ServerDescription.own().version());
      return new ApiDocument(root);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// The same of a service whose paths begin with another one (`server.servlet.context-path`).
  ///
  /// @param context that path; empty for none
  ApiDocument below(String context) {
    if (!context.isEmpty()) {
      ((ObjectNode) root.path("servers").path(0)).put("url", context);
    }
    return this;
  }

  /// What a reference within the document stands for, or the node itself if it is none.
  JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isString() ? root.at(reference.stringValue().substring(1)) : node;
  }
}
