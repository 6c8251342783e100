package io.miniinference.service.startup;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.service.config.EngineProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// A start that ends when it is done: the JVM watches which classes it loads, and keeps them for
/// later starts (`-XX:AOTCacheOutput`). It loads a model on both kinds of device and asks for what
/// operators ask first.
@Component
@ConditionalOnProperty("mie.training")
final class TrainingRun {
  private static final List<String> PATHS =
      List.of(
          "/v2",
          "/v2/models",
          "/v2/health/ready",
          "/actuator/health/readiness",
          "/actuator/prometheus",
          "/actuator/memorypool");
  private static final long POOL_BYTES = 64L << 20;

  private final EngineProperties properties;

  TrainingRun(EngineProperties properties) {
    this.properties = properties;
  }

  @EventListener
  @Order(Ordered.LOWEST_PRECEDENCE)
  void train(ApplicationReadyEvent event) {
    if (event.getApplicationContext() instanceof WebServerApplicationContext web
        && web.getWebServer() != null) {
      String base = "http://localhost:" + web.getWebServer().getPort();
      PATHS.forEach(path -> ask(base + path));
      loadOnTheJvm();
      System.exit(0); // its hook closes the context, and this start ends well
    }
  }

  private static void ask(String address) {
    try {
      var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
      try (InputStream answer = connection.getInputStream()) {
        answer.readAllBytes();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + address, e);
    }
  }

  private void loadOnTheJvm() {
    ModelFile model = BundledModels.unpack(properties.cacheDirectory()).models().getFirst();
    EngineOptions any = EngineOptions.defaults(properties.cacheDirectory());
    EngineOptions jvm =
        new EngineOptions(POOL_BYTES, "jvm", null, null, any.codegen(), any.cache());
    try (Engine engine = Engine.open(jvm)) {
      engine.load(model.name(), model.path(), LoadOptions.defaults().withMaxBatch(1)).close();
    }
  }
}
