package io.miniinference.service.startup;

import io.miniinference.pool.PoolStatistics;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.engine.RunningEngine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.HtmlUtils;

/// The page at `/`: the models with their plans, the pool, and a request to try.
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
      <p>%,d of %,d bytes of the pool are used (<a href="actuator/memorypool">map</a>).
      <a href="v2/models">Models</a>, <a href="actuator/health">health</a>,
      <a href="actuator/prometheus">meters</a>, <a href="actuator/info">version</a>.</p>
      %s
      </body></html>
      """;

  private final RunningEngine engine;
  private final Catalog catalog;

  LandingPage(RunningEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  @GetMapping(path = "/")
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
        catalog.entries().stream()
            .map(entry -> section(entry, base))
            .collect(Collectors.joining("\n")));
  }

  private static String section(CatalogEntry entry, String base) {
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

  private static String served(CatalogEntry.Ready ready, String base) {
    String plan =
        "actuator/plans/"
            + URLEncoder.encode(ready.name(), StandardCharsets.UTF_8).replace("+", "%20")
            + "?format=svg";
    return String.format(
        Locale.ROOT,
        """
        <p>version %s, batches up to %d, %,d bytes; its <a href="%s">memory plan</a></p>
        <pre>%s</pre>
        <img loading="lazy" src="%s" alt="time × address">
        """,
        HtmlUtils.htmlEscape(ready.version()),
        ready.model().maxBatch(),
        ready.model().reservedBytes(),
        plan,
        HtmlUtils.htmlEscape(ExampleRequest.curl(base, ready.model())),
        plan);
  }
}
