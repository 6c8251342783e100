package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/// The description of the REST interface says what is there, and answers are as it says.
final class ApiPagesTest extends HeapServiceTest {
  private final ApiDocument document = ApiDocument.read();

  @Autowired private RequestMappingHandlerMapping requestMappingHandlerMapping;

  @Test
  void everyRequestOfTheProtocolsIsDescribedAndNoOther() {
    Set<String> served =
        requestMappingHandlerMapping.getHandlerMethods().keySet().stream()
            .flatMap(ApiPagesTest::requests)
            .filter(request -> request.matches("\\S+ /(v[12](/.*[^/])?)?"))
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> described = new TreeSet<>();
    document
        .root()
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue().propertyNames().stream()
                .filter(verb -> !verb.equals("parameters"))
                .forEach(
                    verb -> described.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    assertThat(described).isEqualTo(served);
  }

  @Test
  void theServerOfItsPathsIsWhereTheyBegin() {
    assertThat(client().get("/openapi.json").json().at("/servers/0/url").stringValue())
        .isEqualTo("/");
    assertThat(ApiDocument.read().below("/api").root().at("/servers/0/url").stringValue())
        .isEqualTo("/api");
  }

  private static Stream<String> requests(RequestMappingInfo mapping) {
    return mapping.getMethodsCondition().getMethods().stream()
        .flatMap(verb -> mapping.getPatternValues().stream().map(path -> verb + " " + path));
  }

  @Test
  void everyReferenceLeadsSomewhereAndEverySchemaIsUsed() {
    List<String> references = references(document.root());

    assertThat(references)
        .allSatisfy(
            to -> assertThat(document.root().at(to.substring(1)).isMissingNode()).as(to).isFalse());
    assertThat(document.root().at("/components/schemas").propertyNames())
        .allMatch(name -> references.contains("#/components/schemas/" + name));
  }

  private static List<String> references(JsonNode node) {
    return node.findValues("$ref").stream().map(JsonNode::stringValue).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/v2, Server",
    "/v2/models, ModelNames",
    "/v2/models/adder, ModelMetadata",
    "/v2/models/adder/ready, ModelReady",
    "/v2/models/adder/config, ModelConfiguration",
    "/v2/models/adder/stats, Statistics",
    "/v2/models/nobody, Error",
    "/v2/health/live, Live",
    "/v2/health/ready, Ready",
    "/, LiveV1",
    "/v1/models, ModelNames",
    "/v1/models/adder, ModelReady"
  })
  void anAnswerHasWhatItsSchemaSays(String path, String schema) {
    assertFits(client().get(path).json(), document.root().at("/components/schemas/" + schema));
  }

  @Test
  void anInferencesAnswerHasWhatItsSchemaSays() {
    Answer answer =
        client()
            .infer(
                "same-u8",
                "{\"id\":\"7\",\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"UINT8\",\"data\":[1,2]}]}");

    assertThat(answer.status()).isEqualTo(200);
    assertFits(answer.json(), document.root().at("/components/schemas/InferenceResponse"));
    assertFits(
        client().post("/v2/repository/index", "").json().path(0),
        document.root().at("/components/schemas/IndexEntry"));
  }

  private void assertFits(JsonNode value, JsonNode described) {
    JsonNode schema = document.resolved(described);
    if (schema.path("type").asString("").equals("array")) {
      assertThat(value.isArray()).as("%s", value).isTrue();
      value.forEach(item -> assertFits(item, schema.path("items")));
    } else if (schema.has("properties")) {
      assertThat(value.propertyNames()).isSubsetOf(schema.path("properties").propertyNames());
      assertThat(schema.path("required").valueStream().map(JsonNode::stringValue))
          .allMatch(value::has);
      value
          .properties()
          .forEach(field ->
              assertFits(field.getValue(), schema.path("properties").path(field.getKey())));
    }
  }

  @Test
  void peopleReadItOnAPageAndToolsAsJson() {
    Answer page = client().get("/docs");

    assertThat(page.header("content-type")).startsWith("text/html");
    assertThat(page.body())
        .contains("<code>POST /v2/models/{model}/infer</code>", "href=\"#InferenceRequest\"")
        .contains(
            "id=\"InferenceRequest\"", "parameters.binary_data_output", "engine.queue.full-status");
    assertThat(client().get("/openapi.json").json().path("openapi").stringValue())
        .isEqualTo("3.1.0");
  }
}
