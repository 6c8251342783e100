package io.miniinference.bench.models;

import module java.base;
import module tools.jackson.databind;

import io.miniinference.bench.measure.BenchException;
import org.jspecify.annotations.Nullable;

/// A process that answers a line of JSON with a line of JSON. Its standard error is ours.
record PeerProcess(Process process) implements AutoCloseable {
  private static final int PATIENCE_MINUTES = 3;
  private static final String ENDED =
      "it has ended (its standard error says why), or gave no answer in 3 minutes";

  /// @throws BenchException if there is no such program
  static PeerProcess start(List<String> command) {
    try {
      return new PeerProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new BenchException("cannot start it: " + e.getMessage(), e);
    }
  }

  /// Asks, and waits for the answer. A process that gives none for long is ended.
  ///
  /// @throws BenchException if the answer is an error, or none
  JsonNode ask(Map<String, ?> question) {
    var end = CompletableFuture.delayedExecutor(PATIENCE_MINUTES, TimeUnit.MINUTES);
    var late = CompletableFuture.runAsync(process::destroy, end);
    try {
      String line = JsonMapper.shared().writeValueAsString(question);
      process.outputWriter().append(line).append('\n').flush();
      return read(process.inputReader().readLine());
    } catch (IOException e) {
      throw new BenchException(ENDED, e);
    } finally {
      late.cancel(false);
    }
  }

  private static JsonNode read(@Nullable String line) {
    if (line == null) {
      throw new BenchException(ENDED);
    }
    try {
      JsonNode answer = JsonMapper.shared().readTree(line);
      if (answer.has("error")) {
        throw new BenchException(answer.path("error").asString());
      }
      return answer;
    } catch (JacksonException e) {
      throw new BenchException("it says: " + line, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
