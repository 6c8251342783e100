package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DeviceException;
import io.miniinference.device.fault.Faults;
import io.miniinference.device.fault.FaultyDevice;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.open.Engines;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.engine.EngineFactory;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// A device that is lost costs the requests on it, and comes back by itself with all models.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
final class DeviceLossTest {
  private static final String REQUEST =
      """
      {"inputs":[{"name":"x","shape":[2,3],"datatype":"FP32","data":[1,2,3,4,5,6]}]}\
      """;
  private static final int CLIENTS = 4;

  private final Faults faults = new Faults();
  private final AtomicBoolean absent = new AtomicBoolean();

  @TempDir Path folder;

  @Parameter TestedDevice tested;

  /// How often the device is lost; `-Dmie.losses=1000` for more.
  private int losses() {
    return Integer.getInteger("mie.losses", tested.isOpenCl() ? 9 : 60);
  }

  private RunningService start(String... options) {
    for (String version : new String[] {"net/1", "net/2", "other/1"}) {
      model(version.split("/")[0], version.split("/")[1]);
    }
    String[] all = {
      "engine.device=" + tested.device(),
      "engine.pool.capacity=4MB",
      "engine.batching.max-size=4",
      "logging.level.io.miniinference=off",
      "engine.models.repository=" + folder,
    };
    return RunningService.start(
        context ->
            context.registerBean(
                "faultyFactory",
                EngineFactory.class,
                () -> this::open,
                definition -> definition.setPrimary(true)),
        Stream.of(all, options).flatMap(Arrays::stream).toArray(String[]::new));
  }

  private Engine open(EngineOptions options) {
    if (absent.get()) {
      throw new DeviceException("injected: there is no device");
    }
    return Engines.open(options, device -> new FaultyDevice(device, faults));
  }

  private void model(String name, String version) {
    new OpenModel()
        .floats("x", "N,3")
        .counting("w", 3, 5)
        .node("MatMul", "x w", "y")
        .output("y", "N,5")
        .write(folder, name, version);
  }

  /* Java's client breaks the connection where an answer is faster than its own body, and the request
  after it may meet that: it is sent again. */
  private static Client.Answer infer(Client client) {
    try {
      return client.infer("net", REQUEST);
    } catch (AssertionError e) {
      assertThat(e).hasCauseInstanceOf(IOException.class);
      return client.infer("net", REQUEST);
    }
  }

  /* A request a time until it is answered; what else it gets must be a clear 503. */
  private static Client.Answer answered(Client client, Queue<String> wrong) {
    while (true) {
      Client.Answer answer = infer(client);
      if (answer.status() != 503) {
        return answer;
      }
      if (answer.error().isBlank() || answer.header("Retry-After").isEmpty()) {
        wrong.add(answer.body());
      }
    }
  }

  @Test
  void everyLossIsToldAndRecoveredFrom() throws InterruptedException {
    try (var service = start();
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Client client = service.client();
      String answer = infer(client).body();
      long usedBytes = service.engine().pool().statistics().usedBytes();
      var over = new AtomicBoolean();
      var wrong = new ConcurrentLinkedQueue<String>();
      var unavailable = new AtomicInteger();
      for (int i = 0; i < CLIENTS; i++) {
        clients.submit(() -> ask(client, answer, over, wrong, unavailable));
      }
      try {
        loseAndAsk(client, answer, wrong);
      } finally {
        over.set(true);
      }
      clients.shutdown();
      assertThat(clients.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

      assertThat(wrong).isEmpty();
      assertThat(unavailable.get()).isPositive();
      assertThat(faults.told()).isEqualTo(losses());
      assertThat(service.engine().pool().statistics().usedBytes()).isEqualTo(usedBytes);
      assertThat(client.get("/v2/health/ready").status()).isEqualTo(200);
      assertThat(states(client))
          .isEqualTo(Map.of("net/1", "READY", "net/2", "READY", "other/1", "READY"));
    }
  }

  private void loseAndAsk(Client client, String answer, Queue<String> wrong) {
    for (int i = 0; i < losses(); i++) {
      long told = faults.told();
      faults.loseAfter(i % 3, Faults.Step.RUN);
      while (faults.told() == told) {
        infer(client);
      }
      assertThat(answered(client, wrong).body()).as("loss %d", i).isEqualTo(answer);
    }
  }

  private static void ask(
      Client client,
      String answer,
      AtomicBoolean over,
      Queue<String> wrong,
      AtomicInteger unavailable) {
    while (!over.get()) {
      Client.Answer given = infer(client);
      if (given.status() == 503) {
        unavailable.incrementAndGet();
      } else if (given.status() != 200 || !given.body().equals(answer)) {
        wrong.add(given.status() + " " + given.body());
      }
    }
  }

  private static Map<String, String> states(Client client) {
    Map<String, String> states = new TreeMap<>();
    client
        .post("/v2/repository/index", "")
        .json()
        .forEach(entry ->
            states.put(
                entry.path("name").stringValue() + "/" + entry.path("version").stringValue(),
                entry.path("state").stringValue()));
    return states;
  }

  @Test
  void whileTheDeviceIsAwayTheServiceIsNotReadyAndAfterAWhileNotAlive() {
    try (var service = start("engine.device-loss.liveness-after=0s")) {
      Client client = service.client();
      assertThat(client.get("/v2/health/live").status()).isEqualTo(200);
      absent.set(true);
      faults.loseAfter(0, Faults.Step.RUN);

      Client.Answer first = infer(client);
      while (client.get("/v2/health/live").status() == 200) {
        Thread.onSpinWait();
      }
      Client.Answer second = infer(client);
      Client.Answer alive = client.get("/");
      int ready = client.get("/v2/health/ready").status();
      Client.Answer health = client.get("/actuator/health");
      Map<String, String> states = states(client);
      double breaker = breaker(client, "open");
      absent.set(false);
      Client.Answer third = answered(client, new ConcurrentLinkedQueue<>());
      while (client.get("/v2/health/live").status() != 200) {
        Thread.onSpinWait();
      }

      assertThat(first.status()).isEqualTo(503);
      assertThat(first.error()).contains("the device was lost", "CL_DEVICE_NOT_AVAILABLE (-2)");
      assertThat(second.status()).isEqualTo(503);
      assertThat(second.error()).contains("the device was lost");
      assertThat(ready).isEqualTo(503);
      assertThat(alive.status()).isEqualTo(503);
      assertThat(alive.body()).isEqualTo("{\"status\":\"not alive\"}");
      assertThat(health.body()).contains("lost, and is being opened anew", "recovering");
      assertThat(states)
          .isEqualTo(
              Map.of("net/1", "UNAVAILABLE", "net/2", "UNAVAILABLE", "other/1", "UNAVAILABLE"));
      assertThat(breaker).isEqualTo(1);
      assertThat(third.status()).isEqualTo(200);
      assertThat(breaker(client, "closed")).isEqualTo(1);
      assertThat(client.get("/v2/health/ready").status()).isEqualTo(200);
    }
  }

  private static double breaker(Client client, String state) {
    return client
        .get("/actuator/metrics/resilience4j.circuitbreaker.state?tag=name:net&tag=state:" + state)
        .json()
        .at("/measurements/0/value")
        .doubleValue();
  }
}
