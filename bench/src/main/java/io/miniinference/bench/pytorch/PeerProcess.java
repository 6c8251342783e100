package io.miniinference.bench.pytorch;

import io.miniinference.bench.peer.PeerException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A process that answers a line of JSON with a line of JSON. Its standard error is ours.
final class PeerProcess implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String END = "";
  private static final String ENDED = "it has ended (its standard error says why)";

  private final Process process;
  private final BufferedWriter questions;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private PeerProcess(Process process) {
    this.process = process;
    questions = process.outputWriter();
    Thread.ofVirtual().start(this::listen);
  }

  /// @throws PeerException if there is no such program
  static PeerProcess start(List<String> command) {
    try {
      return new PeerProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new PeerException("cannot start it: " + e.getMessage(), e);
    }
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(line);
      }
    } catch (IOException e) {
      // it is gone, which the end says
    }
    answers.add(END);
  }

  /// Asks, and waits for the answer.
  ///
  /// @throws PeerException if the answer is an error, or does not come in time: then the process is
  ///   ended
  JsonNode ask(Map<String, ?> question, Duration patience) {
    try {
      questions.write(JSON.writeValueAsString(question));
      questions.newLine();
      questions.flush();
      return answer(answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS), patience);
    } catch (IOException e) {
      throw new PeerException(ENDED, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PeerException("interrupted", e);
    }
  }

  private JsonNode answer(@Nullable String line, Duration patience) {
    if (line == null || line.equals(END)) {
      close();
      throw new PeerException(line == null ? "no answer in " + patience.toSeconds() + " s" : ENDED);
    }
    try {
      JsonNode answer = JSON.readTree(line);
      if (answer.has("error")) {
        throw new PeerException(answer.path("error").asString());
      }
      return answer;
    } catch (JacksonException e) {
      throw new PeerException("it says: " + line, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
