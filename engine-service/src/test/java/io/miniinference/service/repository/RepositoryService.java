package io.miniinference.service.repository;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.miniinference.pool.MemoryPool;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.engine.RunningEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/// A service over a heap engine whose repository tests change.
final class RepositoryService implements AutoCloseable {
  static final String TOKEN = "sesame";
  static final String ADDITION =
      """
      {"inputs":[{"name":"a","shape":[1,3],"datatype":"FP32","data":[1,2,3]},\
      {"name":"b","shape":[1,3],"datatype":"FP32","data":[1,1,1]}]}\
      """;

  private final Path folder;
  private final ConfigurableApplicationContext context;

  RepositoryService(List<String> options, String... models) {
    this(options, Repositories.of(models));
  }

  RepositoryService(List<String> options, Path models) {
    folder = models;
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--engine.pool.capacity=64KB",
                "--engine.batching.max-size=8",
                "--logging.level.root=off",
                "--engine.models.repository=" + folder));
    arguments.addAll(options);
    context =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class)
            .run(arguments.toArray(String[]::new));
  }

  /// A service that loads and unloads for those who know the token.
  static RepositoryService guarded(String... models) {
    return new RepositoryService(List.of("--engine.repository.token=" + TOKEN), models);
  }

  Path folder() {
    return folder;
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  Client client() {
    return new Client(
        context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
  }

  /// To its gRPC port; whoever asks for it shuts it down.
  ManagedChannel channel() {
    int port = bean(GrpcServerLifecycle.class).getPort();
    return NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
  }

  MemoryPool pool() {
    return bean(RunningEngine.class).engine().pool();
  }

  /// Asks for `load` or `unload`, with the token.
  Client.Answer change(String model, String what) {
    return client()
        .post(
            "/v2/repository/models/" + model + "/" + what, "", "Authorization", "Bearer " + TOKEN);
  }

  /// Puts a version there, or changes it.
  void write(String version, String content) {
    try {
      Path target = Files.createDirectories(folder.resolve(version));
      Files.writeString(target.resolve("model.onnx"), content);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// Takes a version or a model away.
  void delete(String path) {
    try (Stream<Path> all = Files.walk(folder.resolve(path))) {
      for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// The index as `NAME/VERSION STATE`.
  List<String> index() {
    List<String> lines = new ArrayList<>();
    client()
        .post("/v2/repository/index", "")
        .json()
        .forEach(entry ->
            lines.add(
                entry.path("name").stringValue()
                    + "/"
                    + entry.path("version").stringValue("")
                    + " "
                    + entry.path("state").stringValue()));
    return lines;
  }

  Catalog catalog() {
    return bean(Catalog.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
