package io.miniinference.service.startup;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

/// The REST interface described: `/openapi.json` for tools, `/docs` for people.
@RestController
final class ApiPages {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>%1$s: REST</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
      summary { cursor: pointer } table { border-collapse: collapse } td { padding: .1rem 1rem .1rem 0; vertical-align: top }
      </style></head><body>
      <h1>%1$s %2$s</h1>
      <p>%3$s</p>
      <p><a href="openapi.json">openapi.json</a> says it to tools.</p>
      <h2>Requests</h2>
      %4$s
      <h2>Bodies</h2>
      %5$s
      </body></html>
      """;

  @GetMapping("/openapi.json")
  ResponseEntity<JsonNode> document(HttpServletRequest request) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(ApiDocument.read().below(request.getContextPath()).root());
  }

  @GetMapping("/docs")
  ResponseEntity<String> page() {
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
        .body(html(ApiDocument.read()));
  }

  private static String html(ApiDocument document) {
    JsonNode info = document.root().path("info");
    return PAGE.formatted(
        text(info.path("title")),
        text(info.path("version")),
        text(info.path("description")),
        document.root().path("paths").properties().stream()
            .map(path -> operations(document, path))
            .collect(Collectors.joining("\n")),
        document.root().at("/components/schemas").properties().stream()
            .map(schema -> schema(schema))
            .collect(Collectors.joining("\n")));
  }

  private static String operations(ApiDocument document, Map.Entry<String, JsonNode> path) {
    return path.getValue().properties().stream()
        .filter(verb -> !verb.getKey().equals("parameters"))
        .map(verb -> operation(document, path.getKey(), verb))
        .collect(Collectors.joining("\n"));
  }

  private static String operation(
      ApiDocument document, String path, Map.Entry<String, JsonNode> verb) {
    JsonNode operation = verb.getValue();
    return "<details><summary><code>%s %s</code> %s</summary><p>%s</p><table>%s</table></details>"
        .formatted(
            verb.getKey().toUpperCase(Locale.ROOT),
            HtmlUtils.htmlEscape(path),
            text(operation.path("summary")),
            text(operation.path("description")),
            body(document.resolved(operation.path("requestBody")), "sends")
                + operation.path("responses").properties().stream()
                    .map(answer -> body(document.resolved(answer.getValue()), answer.getKey()))
                    .collect(Collectors.joining()));
  }

  private static String body(JsonNode body, String label) {
    return body.isMissingNode()
        ? ""
        : "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
            .formatted(
                HtmlUtils.htmlEscape(label),
                type(body.at("/content/application~1json/schema")),
                text(body.path("description")));
  }

  private static String schema(Map.Entry<String, JsonNode> schema) {
    return "<details id=\"%1$s\"><summary>%1$s</summary><p>%2$s</p><table>%3$s</table></details>"
        .formatted(
            HtmlUtils.htmlEscape(schema.getKey()),
            text(schema.getValue().path("description")),
            properties("", schema.getValue()));
  }

  /* Those of an object within it are there, too. */
  private static String properties(String owner, JsonNode schema) {
    return schema.path("properties").properties().stream()
        .map(property -> property(owner + property.getKey(), property.getValue()))
        .collect(Collectors.joining());
  }

  private static String property(String name, JsonNode schema) {
    return "<tr><td><code>%s</code></td><td>%s</td><td>%s</td></tr>"
            .formatted(HtmlUtils.htmlEscape(name), type(schema), text(schema.path("description")))
        + properties(name + ".", schema);
  }

  /* The name of what it refers to, with a link to it, or its kind. */
  private static String type(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    if (!reference.isEmpty()) {
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      return "<a href=\"#%1$s\">%1$s</a>".formatted(HtmlUtils.htmlEscape(name));
    }
    String kind = text(schema.path("type"));
    JsonNode items = schema.path("items");
    return items.isMissingNode() ? kind : kind + " of " + type(items);
  }

  private static String text(JsonNode node) {
    return HtmlUtils.htmlEscape(node.asString(""));
  }
}
