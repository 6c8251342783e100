package io.miniinference.service.startup;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.open.Engines;
import io.miniinference.service.config.EngineProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// A start that ends when it is done: the JVM watches which classes it loads, and keeps them for
/// later starts (`-XX:AOTCacheOutput`). It loads models on both kinds of device and asks for what
/// operators ask first, and starts once more as other properties would have it. Each service has
/// this bean, so that its beans do not depend on whether it trains; only one that was started with
/// `-Dmie.training=true` does.
@Component
final class TrainingRun {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);
  private static final String TRAINING = "mie.training";
  private static final List<String> PATHS =
      List.of(
          "/v2",
          "/v2/models",
          "/v2/health/ready",
          "/actuator/health/readiness",
          "/actuator/prometheus",
          "/actuator/memorypool");
  private static final long LONGEST_LOAD_SECONDS = 60;
  private static final long POLL_MILLIS = 100;
  private static final long POOL_BYTES = 64L << 20;

  private final EngineProperties properties;

  TrainingRun(EngineProperties properties) {
    this.properties = properties;
  }

  @EventListener
  @Order(Ordered.LOWEST_PRECEDENCE)
  void train(ApplicationReadyEvent event) {
    if (Boolean.getBoolean(TRAINING)
        && event.getApplicationContext() instanceof WebServerApplicationContext web
        && web.getWebServer() != null) {
      String base = "http://localhost:" + web.getWebServer().getPort();
      Class<?> main = event.getSpringApplication().getMainApplicationClass();
      Thread.ofPlatform().name("training").start(() -> trainAndExit(base, main));
    }
  }

  /* On a thread of its own, since the service is ready when all listeners have returned. The exit's hook
  closes the context. */
  private void trainAndExit(String base, @Nullable Class<?> main) {
    int status = 1;
    try {
      train(base, main);
      status = 0;
    } catch (RuntimeException e) {
      LOG.error("the training ends: {}", e.toString(), e);
    } finally {
      System.exit(status);
    }
  }

  private void train(String base, @Nullable Class<?> main) {
    awaitReady(base + "/v2/health/ready");
    PATHS.forEach(path -> ask(base + path));
    loadOnTheJvm();
    startInTheOtherWay(main);
  }

  /* Models are loaded beside the start. One that never is ready trains for what there is. */
  private static void awaitReady(String address) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_LOAD_SECONDS);
    while (ask(address) != HttpURLConnection.HTTP_OK && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  /* The status of the answer, which is read to its end. */
  private static int ask(String address) {
    try {
      var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
      int status = connection.getResponseCode();
      boolean good = status < HttpURLConnection.HTTP_BAD_REQUEST;
      try (InputStream answer = good ? connection.getInputStream() : connection.getErrorStream()) {
        if (answer != null) {
          answer.readAllBytes();
        }
      }
      return status;
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + address, e);
    }
  }

  /* With the beans of configurations, as a start with certain properties makes them: this one took them
  from generated classes, if there are any. */
  private void startInTheOtherWay(@Nullable Class<?> main) {
    System.clearProperty(TRAINING);
    if (main != null && Boolean.getBoolean(AotDetector.AOT_ENABLED)) {
      System.setProperty(AotDetector.AOT_ENABLED, "false");
      new SpringApplication(main)
          .run(
              "--server.port=0",
              "--spring.grpc.server.port=0",
              "--management.server.port=0",
              "--engine.device=jvm",
              "--engine.pool.capacity=" + POOL_BYTES + "B",
              "--engine.cache.directory=" + properties.cacheDirectory(),
              "--engine.models.names=mnist-mlp")
          .close();
    }
  }

  private void loadOnTheJvm() {
    EngineOptions any = EngineOptions.defaults(properties.cacheDirectory());
    EngineOptions jvm =
        new EngineOptions(POOL_BYTES, "jvm", null, null, any.codegen(), any.cache());
    try (Engine engine = Engines.open(jvm)) {
      for (ModelFile model : BundledModels.unpack(properties.cacheDirectory()).models()) {
        engine.load(model.name(), model.path(), LoadOptions.defaults().withMaxBatch(1)).close();
      }
    }
  }
}
