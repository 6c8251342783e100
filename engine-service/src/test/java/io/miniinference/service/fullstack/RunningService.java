package io.miniinference.service.fullstack;

import io.miniinference.device.DriverCalls;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.scheduling.Scheduler;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import tools.jackson.databind.JsonNode;

/// The service as a user starts it, on a free port. Built programs stay in the module's `target`.
public final class RunningService implements AutoCloseable {
  private static final String[] ALWAYS = {
    "--server.port=0",
    "--engine.cache.directory=" + System.getProperty("mie.cache", "target/device-cache")
  };

  private final ConfigurableApplicationContext context;
  private final Client client;
  private final DriverCalls atReady;

  private RunningService(ConfigurableApplicationContext context) {
    this.context = context;
    client = new Client(port());
    atReady = engine().driverCalls();
  }

  /// Starts a service and returns when it has loaded its models.
  ///
  /// @param properties each `engine.NAME=VALUE`
  public static RunningService start(String... properties) {
    return start(_ -> {}, properties);
  }

  /// The same with what a test puts in the place of beans.
  static RunningService start(Consumer<GenericApplicationContext> beans, String... properties) {
    var application = new SpringApplication(MiniInferenceEngine.class);
    application.addInitializers(context -> {
      context.getBeanFactory().registerSingleton("noDoubles", new NoDoubles());
      beans.accept((GenericApplicationContext) context);
    });
    Stream<String> arguments = Arrays.stream(properties).map(property -> "--" + property);
    return new RunningService(
        application.run(Stream.concat(Arrays.stream(ALWAYS), arguments).toArray(String[]::new)));
  }

  /// Keeps the doubles of other tests out, which lie below the packages that are scanned.
  private static final class NoDoubles extends TypeExcludeFilter {
    @Override
    public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
      return reader.getClassMetadata().getClassName().contains(".doubles.");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NoDoubles;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  public Client client() {
    return client;
  }

  /// The port of HTTP.
  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  /// The port of gRPC.
  public int grpcPort() {
    return context.getBean(GrpcServerLifecycle.class).getPort();
  }

  public Engine engine() {
    return context.getBean(RunningEngine.class).engine();
  }

  /// Batches of a model that ran.
  long executions(String model) {
    return client()
        .get("/v2/models/" + model + "/stats")
        .json()
        .path("model_stats")
        .path(0)
        .path("execution_count")
        .longValue();
  }

  /// Takes all turns of a model, with zeros for its inputs.
  ///
  /// @param shapes by turn, those of its inputs
  HeldModel hold(String name, IntFunction<List<long[]>> shapes) throws Exception {
    Model model = context.getBean(Catalog.class).ready(name, null).model();
    List<InferenceRequest> requests =
        IntStream.range(0, model.instanceBatches().size())
            .mapToObj(shapes)
            .map(it -> new InferenceRequest(it, (_, staging) -> staging.fill((byte) 0)))
            .toList();
    return new HeldModel(context.getBean(Scheduler.class), model, requests);
  }

  /// What the driver had been asked for when the service became ready.
  DriverCalls driverCallsAtReady() {
    return atReady;
  }

  boolean isReady() {
    return client.get("/v2/health/ready").status() == 200;
  }

  /// The pool's figures, as Actuator shows them.
  public JsonNode pool() {
    return client.get("/actuator/memorypool").json().path("statistics");
  }

  @Override
  public void close() {
    context.close();
  }
}
