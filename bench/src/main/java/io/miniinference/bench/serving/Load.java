package io.miniinference.bench.serving;

import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;

/// Connections to a service that each send the next request when the last was answered, bytes that
/// were made before.
///
/// @param subject what the service is called
/// @param weight what an answer counts
/// @param exchanges makes the state of a connection
record Load(String subject, int port, double weight, Supplier<Exchange> exchanges) {
  /// Slices until the compiler of a Java service has mostly come to rest.
  private static final int WARM_UP = 12;

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

  /// What slices of several loads showed, a list of each.
  record Race(List<Load> loads, List<List<Seen>> seen) {
    /// A figure of what was seen.
    Rounds of(Function<Seen, Double> figure) {
      return new Rounds(
          loads.stream().map(Load::subject).toList(),
          seen.stream().map(slices -> slices.stream().map(figure).toList()).toList());
    }
  }

  /// Lets services take turns, of a second each, after a warm-up.
  static Race inTurn(List<Load> loads, int connections, boolean quick) {
    long millis = quick ? 100 : 1_000;
    loads.forEach(load -> load.run(connections, WARM_UP * millis));
    Stream<Supplier<Seen>> turns = loads.stream().map(load -> () -> load.run(connections, millis));
    return new Race(loads, Rounds.inTurn(turns.toList(), quick ? 1 : 9));
  }

  /// Asks for a time, and until each connection has one answer at least.
  Seen run(int connections, long millis) {
    try (var client = new Client(Selector.open())) {
      for (int i = 0; i < connections; i++) {
        client.connect(port, exchanges.get());
      }
      return client.ask(millis, weight);
    } catch (IOException e) {
      throw new BenchException("cannot ask %s: %s".formatted(subject, e), e);
    }
  }
}
