package io.miniinference.service.startup;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.Devices;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Model;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import java.io.PrintStream;
import java.util.Optional;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// The lines that `serve` prints when it is ready: device, pool, models, URLs.
@Component
final class StartupReport {
  private final RunningEngine engine;
  private final Catalog catalog;
  private final EngineProperties properties;

  StartupReport(RunningEngine engine, Catalog catalog, EngineProperties properties) {
    this.engine = engine;
    this.catalog = catalog;
    this.properties = properties;
  }

  @EventListener
  void print(ApplicationReadyEvent event) {
    print(System.out, port(event.getApplicationContext()));
  }

  private static int port(ApplicationContext context) {
    return context instanceof WebServerApplicationContext web && web.getWebServer() != null
        ? web.getWebServer().getPort()
        : 0;
  }

  void print(PrintStream out, int port) {
    printDevice(out);
    PoolStatistics pool = engine.engine().pool().statistics();
    out.printf(
        "pool    %,d bytes, %,d used, %,d free%n",
        pool.capacityBytes(), pool.usedBytes(), pool.freeBytes());
    catalog.entries().forEach(entry -> out.println("model   " + describe(entry)));
    String base = "http://localhost:" + port;
    out.println("serving " + base + "/v2 and " + base + "/actuator");
    example(base).ifPresent(line -> out.println("try     " + line));
    out.flush();
  }

  private void printDevice(PrintStream out) {
    DeviceInfo device = engine.engine().device();
    out.printf(
        "device  %s (%s, %s), %d worker%s%n",
        device.name(),
        device.kind(),
        device.platform(),
        device.workers(),
        device.workers() == 1 ? "" : "s");
    if (!device.isOpenCl() && properties.device() == EngineProperties.DeviceKind.AUTO) {
      new Devices(properties.cacheDirectory())
          .withoutOpenCl()
          .ifPresent(remedy -> out.println("        " + remedy));
    }
  }

  private static String describe(CatalogEntry entry) {
    return switch (entry) {
      case CatalogEntry.Ready ready -> describe(ready);
      case CatalogEntry.Loading loading -> loading.name() + " is loading";
      case CatalogEntry.Failed failed -> failed.name() + " is NOT SERVED, the log says why";
    };
  }

  private static String describe(CatalogEntry.Ready ready) {
    Model model = ready.model();
    return "%s version %s, %,d bytes reserved, batches up to %d"
        .formatted(ready.name(), ready.version(), model.reservedBytes(), model.maxBatch());
  }

  private Optional<String> example(String base) {
    return catalog.entries().stream()
        .flatMap(entry -> Optional.ofNullable(entry.readyModel()).stream())
        .map(model -> ExampleRequest.curl(base, model))
        .findFirst();
  }
}
