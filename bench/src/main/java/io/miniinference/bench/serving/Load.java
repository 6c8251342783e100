package io.miniinference.bench.serving;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Connections to a service that each send the next request when the last was answered. Each has a
/// thread that waits on its socket, and sends bytes that were made before: the client takes little
/// of the machine.
///
/// @param subject what the service is called
/// @param weight what an answer counts
/// @param exchanges makes the state of a connection
record Load(String subject, int port, double weight, Supplier<Exchange> exchanges) {
  private static final int PATIENCE_MILLIS = 30_000;

  /// The state of one connection, on which one request at a time is sent.
  interface Exchange {
    /// Sends a request and reads its answer.
    ///
    /// @return the body of the answer
    /// @throws BenchException if it is an error
    byte[] ask(OutputStream out, DataInputStream in) throws IOException;
  }

  /// What a slice showed.
  ///
  /// @param rate weight of the answers of a second
  /// @param micros latencies, ascending
  /// @param body of an answer
  record Seen(double rate, double[] micros, byte[] body) {
    double micros(double quantile) {
      return Spread.quantile(micros, quantile);
    }
  }

  /// What one connection showed.
  private record Answers(List<Double> micros, byte[] body) {}

  /// Lets services take turns, of a second each, after a warm-up.
  static List<List<Seen>> inTurn(List<Load> loads, int connections, boolean quick) {
    Duration slice = Duration.ofMillis(quick ? 100 : 1_000);
    loads.forEach(load -> load.run(connections, slice.multipliedBy(4)));
    Stream<Supplier<Seen>> turns = loads.stream().map(load -> () -> load.run(connections, slice));
    return Rounds.inTurn(turns.toList(), quick ? 1 : 9);
  }

  /// A figure of what was seen.
  static Rounds rounds(List<Load> loads, List<List<Seen>> seen, ToDoubleFunction<Seen> figure) {
    return new Rounds(
        loads.stream().map(Load::subject).toList(),
        seen.stream().map(slices -> slices.stream().mapToDouble(figure).boxed().toList()).toList());
  }

  /// Asks for a time, and until each connection has one answer at least.
  Seen run(int connections, Duration time) {
    long start = System.nanoTime();
    long end = start + time.toNanos();
    List<Future<Answers>> all;
    try (var threads = Executors.newFixedThreadPool(connections)) {
      all = threads.invokeAll(Collections.nCopies(connections, () -> ask(end)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Answers> answers = all.stream().map(Load::answers).toList();
    double[] micros =
        answers.stream().flatMap(each -> each.micros.stream()).mapToDouble(us -> us).toArray();
    return new Seen(
        weight * micros.length / seconds, Spread.sorted(micros), answers.getFirst().body);
  }

  private static Answers answers(Future<Answers> of) {
    if (of.state() == Future.State.FAILED) {
      throw new BenchException(of.exceptionNow().toString(), of.exceptionNow());
    }
    return of.resultNow();
  }

  private Answers ask(long end) throws IOException {
    List<Double> micros = new ArrayList<>();
    Exchange exchange = exchanges.get();
    byte[] body;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      long before = System.nanoTime();
      do {
        body = exchange.ask(socket.getOutputStream(), in);
        long after = System.nanoTime();
        micros.add((after - before) / 1e3);
        before = after;
      } while (before < end);
    }
    return new Answers(micros, body);
  }
}
