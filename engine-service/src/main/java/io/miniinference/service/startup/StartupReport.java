package io.miniinference.service.startup;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.spring.observe.EngineView;
import io.miniinference.spring.observe.ModelView;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// What the log says of a start: the device, the pool and the address once they are there, and the
/// outcome when the models are loaded. Each model has a line of its own in between.
@Component
final class StartupReport {
  private static final Logger LOG = LoggerFactory.getLogger(StartupReport.class);

  private final RunningEngine engine;
  private final Catalog catalog;
  private final EngineView view;
  private final EngineProperties properties;
  private final ActuatorLinks actuator;
  private final ServerProperties server;
  private volatile int port;

  StartupReport(
      RunningEngine engine,
      Catalog catalog,
      EngineView view,
      EngineProperties properties,
      ActuatorLinks actuator,
      ServerProperties server) {
    this.server = server;
    this.view = view;
    this.actuator = actuator;
    this.engine = engine;
    this.catalog = catalog;
    this.properties = properties;
  }

  @EventListener
  void listening(WebServerInitializedEvent event) {
    if (event.getApplicationContext().getServerNamespace() == null) {
      port = event.getWebServer().getPort();
      tellDevice();
      LOG.info(
          "listening on {}, open to all who reach it: {}{}",
          base(),
          actuator.areOnTheSamePort() ? "/v2 and /actuator" : "/v2",
          properties.inference().token() == null
              ? ""
              : "; inference asks for its token (engine.inference.token)");
    } else {
      LOG.info(
          "listening on port {} for Actuator alone, at {}",
          event.getWebServer().getPort(),
          actuator.basePath());
    }
  }

  private String base() {
    String scheme = Ssl.isEnabled(server.getSsl()) ? "https" : "http";
    String path = Objects.requireNonNullElse(server.getServlet().getContextPath(), "");
    return scheme + "://localhost:" + port + path;
  }

  private void tellDevice() {
    DeviceInfo device = engine.engine().device();
    LOG.info(
        "device {} ({}, {}), {}",
        device.name(),
        device.kind(),
        device.platform(),
        device.workers() == 1 ? "1 worker" : device.workers() + " workers");
    new Devices(properties.cacheDirectory())
        .whyJvm(Devices.Kind.of(properties.device().name()), device)
        .ifPresent(LOG::warn);
  }

  @EventListener
  void ready(ApplicationReadyEvent event) {
    if (view.areRequiredModelsReady()) {
      LOG.info("ready {}: {}", after(event), outcome());
    } else if (catalog.entries().isEmpty()) {
      LOG.warn(
          "not ready {}: there is no model yet, and engine.models.required is {}",
          after(event),
          required());
    } else {
      LOG.warn(
          "not ready {}: {}. {} failed, and engine.models.required is {}: mend or remove what"
              + " failed, or require any model or names",
          after(event),
          outcome(),
          failed(),
          required());
    }
    example().ifPresent(line -> LOG.info("try {}", line));
  }

  private String required() {
    return String.join(",", properties.models().required());
  }

  private String outcome() {
    List<CatalogEntry> entries = catalog.entries();
    long served = entries.stream().filter(CatalogEntry.Ready.class::isInstance).count();
    PoolStatistics pool = engine.engine().pool().statistics();
    return "%d of %d models served, %s of %s bytes of the pool used"
        .formatted(
            served, entries.size(), grouped(pool.usedBytes()), grouped(pool.capacityBytes()));
  }

  private String failed() {
    return view.models().stream()
        .filter(model -> model.model() == null)
        .map(ModelView::name)
        .collect(Collectors.joining(", "));
  }

  private static String after(ApplicationReadyEvent event) {
    return event.getTimeTaken() == null
        ? "now"
        : String.format(Locale.ROOT, "after %.1f s", event.getTimeTaken().toMillis() / 1e3);
  }

  private static String grouped(long bytes) {
    return String.format(Locale.ROOT, "%,d", bytes);
  }

  private Optional<String> example() {
    return catalog.entries().stream()
        .flatMap(entry -> Optional.ofNullable(entry.readyModel()).stream())
        .map(model -> ExampleRequest.curl(base(), model, properties.inference()))
        .findFirst();
  }
}
