package io.miniinference.service.startup;

import io.miniinference.pool.PoolStatistics;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.HtmlUtils;

/// The page at `/` for those who ask for one, as browsers do: the models with their plans, the
/// pool, and a request to try.
@RestController
final class LandingPage {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>Mini-Inference Engine</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
      .pool { height: 1.2rem; border: 1px solid } .pool div { height: 100%%; background: steelblue }
      pre { overflow-x: auto; padding: .5rem; border: 1px solid } img { max-width: 100%%; background: white }
      </style></head><body>
      <h1>Mini-Inference Engine</h1>
      <p>%s</p>
      <div class="pool"><div style="width:%.1f%%"></div></div>
      <p>%,d of %,d bytes of the pool are used. %s</p>
      %s
      </body></html>
      """;

  private final RunningEngine engine;
  private final Catalog catalog;
  private final ActuatorLinks actuator;
  private final EngineProperties.Inference guard;

  LandingPage(
      RunningEngine engine, Catalog catalog, ActuatorLinks actuator, EngineProperties properties) {
    guard = properties.inference();
    this.engine = engine;
    this.catalog = catalog;
    this.actuator = actuator;
  }

  @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
  ResponseEntity<String> page() {
    String base = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
        .body(html(base));
  }

  private String html(String base) {
    PoolStatistics pool = engine.engine().pool().statistics();
    var device = engine.engine().device();
    return String.format(
        Locale.ROOT,
        PAGE,
        HtmlUtils.htmlEscape(device.name() + " (" + device.platform() + ")"),
        100.0 * pool.usedBytes() / pool.capacityBytes(),
        pool.usedBytes(),
        pool.capacityBytes(),
        links(base),
        catalog.entries().stream()
            .map(entry -> section(entry, base))
            .collect(Collectors.joining("\n")));
  }

  private String links(String base) {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("memorypool", "map");
    names.put("health", "health");
    names.put("prometheus", "meters");
    names.put("info", "version");
    List<String> links =
        new ArrayList<>(
            List.of("<a href=\"v2/models\">models</a>", "<a href=\"docs\">requests</a>"));
    names.forEach((endpoint, name) ->
        actuator
            .to(endpoint, base)
            .map(link -> "<a href=\"" + HtmlUtils.htmlEscape(link) + "\">" + name + "</a>")
            .ifPresent(links::add));
    return String.join(", ", links);
  }

  private String section(CatalogEntry entry, String base) {
    String title = "<h2>" + HtmlUtils.htmlEscape(entry.name()) + "</h2>\n";
    return title
        + switch (entry) {
          case CatalogEntry.Ready ready -> served(ready, base);
          case CatalogEntry.Loading _ -> "<p>is loading</p>";
          case CatalogEntry.Failed failed ->
              "<pre>" + HtmlUtils.htmlEscape(failed.problem()) + "</pre>";
          case CatalogEntry.Recovering _ -> "<p>waits for the device, which was lost</p>";
          case CatalogEntry.Unloading _ -> "<p>is being unloaded</p>";
          case CatalogEntry.Unloaded _ -> "<p>was unloaded</p>";
        };
  }

  private String served(CatalogEntry.Ready ready, String base) {
    String text =
        String.format(
            Locale.ROOT,
            "<p>version %s, batches up to %d, %,d bytes</p>%n<pre>%s</pre>%n",
            HtmlUtils.htmlEscape(ready.version()),
            ready.model().maxBatch(),
            ready.model().reservedBytes(),
            HtmlUtils.htmlEscape(ExampleRequest.curl(base, ready.model(), guard)));
    return text + actuator.to("plans", base).map(plans -> plan(plans, ready.name())).orElse("");
  }

  private static String plan(String plans, String model) {
    String name = URLEncoder.encode(model, StandardCharsets.UTF_8).replace("+", "%20");
    return "<a href=\"%1$s\"><img loading=\"lazy\" src=\"%1$s\" alt=\"memory plan: time × address\"></a>%n"
        .formatted(HtmlUtils.htmlEscape(plans + "/" + name + "?format=svg"));
  }
}
