import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Holds a bundle to its promise where there is neither Java nor anything else in the environment: run as
/// `java Check.java BUNDLE REQUEST`, where REQUEST is a file with the drawn seven for `mnist-cnn`.
///
/// The runtime lacks what no jar names, so each part that finds classes by reflection is made to work once: command
/// line, JOCL, Spring, JSON, Actuator's endpoints and formats.
final class Check {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final byte SETTINGS = 4;
  private static final int SIGTERM_STATUS = 128 + 15;
  private static final String SEVEN = ".*\"data\":\\[-[^,]*(,[^,]*){6},1[0-9]\\.[^,]*,.*";

  private final Path program;
  private final Path scratch;
  private final int port;
  private final int grpcPort;
  private final HttpClient client = HttpClient.newHttpClient();

  private Check(Path bundle, Path scratch, int port, int grpcPort) {
    this.program = bundle.resolve("bin/mie");
    this.scratch = scratch;
    this.port = port;
    this.grpcPort = grpcPort;
  }

  public static void main(String[] args) throws Exception {
    Path scratch = Files.createTempDirectory("mie-check");
    try (var http = new ServerSocket(0);
        var grpc = new ServerSocket(0)) {
      http.close();
      grpc.close();
      var check =
          new Check(Path.of(args[0]).toAbsolutePath(), scratch, http.getLocalPort(), grpc.getLocalPort());
      check.commands();
      check.service(Files.readString(Path.of(args[1])));
    } finally {
      delete(scratch);
    }
  }

  private void commands() throws Exception {
    that(run("devices", "--json").matches("\\{\"devices\":.*\"kind\":\"JVM\".*}\n"), "devices --json");
    that(run("plan", "mnist-cnn", "--json").contains("\"lowerBoundBytes\":"), "plan --json");
    that(run("bench", "--list").contains("jvm "), "bench --list");
  }

  private void service(String seven) throws Exception {
    Process service =
        start(
            "serve",
            "--engine.device=jvm",
            "--server.port=" + port,
            "--spring.grpc.server.port=" + grpcPort,
            "--engine.models.names=mnist-cnn");
    try {
      awaitReady(service);
      that(post("v2/models/mnist-cnn/infer", seven).matches(SEVEN), "a seven is a seven");
      for (String page : List.of("health", "info", "metrics", "memorypool", "plans/mnist-cnn")) {
        that(get("actuator/" + page, "application/json").startsWith("{"), page);
      }
      that(speaksHttp2(), "gRPC");
      that(get("actuator/memorypool", "text/plain").startsWith("capacity"), "memorypool as text");
      that(get("actuator/plans/mnist-cnn", "image/svg+xml").contains("<svg"), "plan as picture");
      that(get("actuator/prometheus", "text/plain").contains("memory_pool_used_bytes"), "prometheus");
      that(get("actuator/prometheus", "application/openmetrics-text").endsWith("# EOF\n"), "openmetrics");
      service.destroy();
      that(service.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "SIGTERM ends it");
      that(service.exitValue() == SIGTERM_STATUS, "SIGTERM ends it in order");
    } finally {
      service.destroyForcibly();
    }
  }

  /// Begins a connection as clients of gRPC do: the server's first frame is one of settings.
  private boolean speaksHttp2() throws IOException {
    byte[] emptySettings = {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0};
    try (var socket = new Socket("localhost", grpcPort)) {
      socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(emptySettings);
      return socket.getInputStream().readNBytes(emptySettings.length)[3] == SETTINGS;
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectError(scratch.resolve("err").toFile());
    builder.redirectOutput(scratch.resolve("out").toFile()).directory(scratch.toFile());
    builder.environment().clear();
    builder.environment().put("XDG_CACHE_HOME", scratch.resolve("cache").toString());
    return builder.start();
  }

  private String run(String... arguments) throws Exception {
    Process process = start(arguments);
    that(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), String.join(" ", arguments) + " ends");
    that(process.exitValue() == 0, String.join(" ", arguments) + " succeeds");
    return Files.readString(scratch.resolve("out"));
  }

  private void awaitReady(Process service) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && service.isAlive()) {
      try {
        if (ask(HttpRequest.newBuilder(), "actuator/health/readiness").statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // it does not listen yet
      }
      service.waitFor(100, TimeUnit.MILLISECONDS);
    }
    that(false, "the service becomes ready");
  }

  private String get(String page, String type) throws Exception {
    return body(ask(HttpRequest.newBuilder().header("Accept", type), page), page);
  }

  private String post(String page, String json) throws Exception {
    return body(ask(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(json)), page), page);
  }

  private String body(HttpResponse<String> response, String page) throws IOException {
    that(response.statusCode() == 200, page + " answers, and not " + response.statusCode());
    return response.body();
  }

  private HttpResponse<String> ask(HttpRequest.Builder request, String page) throws Exception {
    URI uri = URI.create("http://localhost:" + port + "/" + page);
    return client.send(request.uri(uri).timeout(PATIENCE).build(), BodyHandlers.ofString());
  }

  private void that(boolean holds, String promise) throws IOException {
    if (!holds) {
      System.err.printf("the bundle broke a promise: %s%n", promise);
      for (String stream : List.of("out", "err")) {
        System.err.print(Files.readString(scratch.resolve(stream)));
      }
      System.exit(1);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    }
  }
}
