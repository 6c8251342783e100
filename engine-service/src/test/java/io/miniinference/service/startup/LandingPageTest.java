package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// Every link of the page at `/` leads somewhere, wherever Actuator is.
final class LandingPageTest {
  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  @Test
  void linksLeadToActuatorOnTheSamePort() {
    try (var context = start()) {
      assertThat(links(context)).hasSize(8).allSatisfy(link -> leadsSomewhere(link, context));
    }
  }

  @Test
  void linksLeadToActuatorOnAPortOfItsOwn() {
    try (var context = start("--management.server.port=0", "--management.server.base-path=/m")) {
      String actuator =
          "http://localhost:" + port(context, "local.management.port") + "/m/actuator";

      assertThat(links(context))
          .hasSize(8)
          .anyMatch(link -> link.startsWith(actuator + "/plans/adder"))
          .allSatisfy(link -> leadsSomewhere(link, context));
    }
  }

  @Test
  void underTritonsProfileMetricsAreWhereAndAsTritonHasThem() {
    try (var context = start("--spring.profiles.active=triton", "--management.server.port=0")) {
      var management = new Client(port(context, "local.management.port"));

      assertThat(management.get("/metrics").body())
          .contains("\nnv_inference_count{model=\"adder\",version=\"1\"} 0");
      assertThat(links(context)).hasSize(8).allSatisfy(link -> leadsSomewhere(link, context));
    }
  }

  @Test
  void whatIsNotExposedOrOnAnotherAddressIsNotLinked() {
    try (var context = start("--management.endpoints.web.exposure.include=health")) {
      assertThat(links(context)).hasSize(3).allSatisfy(link -> leadsSomewhere(link, context));
    }
    try (var context =
        start("--management.server.port=0", "--management.server.address=127.0.0.1")) {
      assertThat(links(context)).containsExactly("v2/models", "docs");
    }
  }

  @Test
  void theRequestToTryHasAPlaceForTheTokenWhereOneIsWanted() {
    try (var context = start("--engine.inference.token=of-the-test")) {
      assertThat(page(context))
          .contains("curl -s -H &#39;Authorization: Bearer TOKEN&#39; http://localhost:")
          .doesNotContain("of-the-test");
    }
    try (var context = start()) {
      assertThat(page(context)).contains("curl -s http://localhost:");
    }
  }

  private static String page(ConfigurableApplicationContext context) {
    return new Client(port(context, "local.server.port")).get("/", "Accept", BROWSER).body();
  }

  private static List<String> links(ConfigurableApplicationContext context) {
    return LINK.matcher(page(context)).results().map(link -> link.group(1)).toList();
  }

  private static void leadsSomewhere(String link, ConfigurableApplicationContext context) {
    URI uri =
        URI.create("http://localhost:" + port(context, "local.server.port") + "/").resolve(link);
    String path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    assertThat(new Client(uri.getPort()).get(path).status()).isEqualTo(200);
  }

  private static int port(ConfigurableApplicationContext context, String name) {
    return context.getEnvironment().getRequiredProperty(name, Integer.class);
  }

  private static ConfigurableApplicationContext start(String... options) {
    List<String> always =
        List.of(
            "--server.port=0",
            "--engine.pool.capacity=1MB",
            "--engine.models.repository=" + Repositories.of("adder/1"),
            "--logging.level.root=off");
    var application =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class);
    return application.run(
        Stream.concat(always.stream(), Stream.of(options)).toArray(String[]::new));
  }
}
