package io.miniinference.bench.serving;

import io.miniinference.bench.suite.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A service in a process of its own, which says on its standard output where it listens and when
/// it is ready.
final class Service implements AutoCloseable {
  private static final Pattern HTTP = Pattern.compile("listening on http://localhost:(\\d+)");
  private static final Pattern GRPC = Pattern.compile("listening for gRPC on port (\\d+)");
  private static final Pattern READY = Pattern.compile(" ready | ready$");
  private static final int MOST_LINES_TOLD = 20;

  private final Process process;
  private int http;
  private int grpc;

  private Service(Process process) {
    this.process = process;
  }

  /// Starts one, and waits until it is ready.
  static Service start(List<String> command) {
    try {
      var service = new Service(new ProcessBuilder(command).redirectErrorStream(true).start());
      Runtime.getRuntime().addShutdownHook(new Thread(service.process::destroy));
      service.awaitReady();
      return service;
    } catch (IOException e) {
      throw new BenchException("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private void awaitReady() throws IOException {
    var told = new StringBuilder();
    BufferedReader lines = process.inputReader();
    for (int i = 0; http == 0 || grpc == 0 || !READY.matcher(told).find(); i++) {
      String line = lines.readLine();
      if (line == null) {
        throw new BenchException("a service ended before it was ready:\n" + told);
      }
      told.append(i < MOST_LINES_TOLD || READY.matcher(line).find() ? line + "\n" : "");
      http = port(HTTP, line, http);
      grpc = port(GRPC, line, grpc);
    }
    Thread.ofVirtual().start(() -> drain(lines));
  }

  /* So that the service is not held back by what nobody reads. */
  private static void drain(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {
        /* nothing to tell */
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static int port(Pattern pattern, String line, int before) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : before;
  }

  /// Where it takes a protocol.
  int port(Protocol protocol) {
    return protocol == Protocol.GRPC ? grpc : http;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
