package io.miniinference.bench.serving;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The service under load, single images to `mnist-cnn`: beside a Spring Boot service over ONNX
/// Runtime (`bench/serving/Peer.java`), beside itself without batching, and beside the bytes alone,
/// which an endpoint of the peer's server answers without a model. Each is a process of its own,
/// and they take turns; this one is the client of all.
public final class ServingSuite implements Suite {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64);
  private static final String MODEL = "mnist-cnn";
  private static final String ENGINE = "engine";
  private static final String PEER = "Spring Boot over ONNX Runtime";
  private static final float TOLERANCE = 1e-2f;

  @Override
  public String name() {
    return "serving";
  }

  @Override
  public String description() {
    return "requests a second and latencies of the service, beside a Spring Boot service over ONNX Runtime";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    Path root = Path.of(System.getProperty("mie.root", "."));
    if (!Files.exists(root.resolve("bench/serving/Peer.java"))) {
      setting.say("serving needs a clone: the peer's source and ./mie are not here");
      return Optional.empty();
    }
    Findings findings = new Findings(this, "connections", setting);
    Commands commands = new Commands(root, setting);
    try (Service engine = Service.start(commands.engine());
        Service alone = Service.start(commands.engineWithoutBatching());
        Service peer = Service.start(commands.peer())) {
      for (Protocol protocol : Protocol.values()) {
        List<Runner> runners = runners(protocol, engine, alone, peer);
        checkAnswers(runners);
        for (int connections : setting.batches(CONNECTIONS)) {
          setting.say("%s, %d connections", protocol.text(), connections);
          measure(protocol, connections, runners, setting.quick(), findings);
        }
      }
      return Optional.of(findings.result(device(setting)));
    }
  }

  /// A service as it is asked over one protocol.
  private record Runner(String subject, Service service, Protocol protocol, String model) {
    Load.Seen run(int connections, Duration time) {
      return Load.run(service.port(protocol), protocol.exchanges(model), connections, time);
    }
  }

  private static List<Runner> runners(
      Protocol protocol, Service engine, Service alone, Service peer) {
    return List.of(
        new Runner(ENGINE, engine, protocol, MODEL),
        new Runner(PEER, peer, protocol, MODEL),
        new Runner(ENGINE + " without batching", alone, protocol, MODEL),
        new Runner("bytes alone", peer, protocol, Protocol.ECHO));
  }

  /* All but the last compute the same. */
  private static void checkAnswers(List<Runner> runners) {
    float[] expected = scores(runners.getFirst());
    for (Runner runner : runners.subList(1, runners.size() - 1)) {
      float[] scores = scores(runner);
      for (int i = 0; i < expected.length; i++) {
        if (!(Math.abs(scores[i] - expected[i]) < TOLERANCE)) {
          throw new BenchException(
              "score %d is %s, and %s of %s"
                  .formatted(i, expected[i], scores[i], runner.subject()));
        }
      }
    }
  }

  private static float[] scores(Runner runner) {
    return runner.protocol().scores(runner.run(1, Duration.ofMillis(100)).body());
  }

  private static void measure(
      Protocol protocol, int connections, List<Runner> runners, boolean quick, Findings to) {
    int rounds = quick ? 1 : 9;
    Duration slice = Duration.ofMillis(quick ? 100 : 1_000);
    Load.Seen[][] seen = new Load.Seen[runners.size()][rounds];
    runners.forEach(runner -> runner.run(connections, slice.multipliedBy(4)));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < seen.length; i++) {
        int next = round % 2 == 0 ? i : seen.length - 1 - i;
        seen[next][round] = runners.get(next).run(connections, slice);
      }
    }
    add(protocol, connections, runners, seen, to);
  }

  private static void add(
      Protocol protocol,
      int connections,
      List<Runner> runners,
      Load.Seen[][] seen,
      Findings findings) {
    Parameters at = Parameters.of("over", protocol.text()).with("connections", connections);
    for (Figure figure : Figure.values()) {
      for (int i = 0; i < seen.length; i++) {
        String subject = runners.get(i).subject() + figure.text;
        findings.add(MODEL, at, subject, figure.unit, Spread.of(figure.of(seen[i])));
      }
      for (int i = 1; i < seen.length && figure != Figure.TAIL; i++) {
        Ratio ratio = Ratio.of(figure.of(seen[0]), figure.of(seen[i]));
        findings.add(MODEL, at, ENGINE + figure.text, runners.get(i).subject(), ratio);
      }
    }
  }

  private enum Figure {
    RATE("", Unit.REQUESTS_PER_SECOND) {
      @Override
      double of(Load.Seen seen) {
        return seen.rate();
      }
    },
    MEDIAN(", p50", Unit.MICROSECONDS) {
      @Override
      double of(Load.Seen seen) {
        return seen.median();
      }
    },
    TAIL(", p99", Unit.MICROSECONDS) {
      @Override
      double of(Load.Seen seen) {
        return seen.tail();
      }
    };

    private final String text;
    private final Unit unit;

    Figure(String text, Unit unit) {
      this.text = text;
      this.unit = unit;
    }

    abstract double of(Load.Seen seen);

    double[] of(Load.Seen[] rounds) {
      double[] all = new double[rounds.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = of(rounds[i]);
      }
      return all;
    }
  }

  private static MeasuredDevice device(Setting setting) {
    try (Device device = setting.openDevice()) {
      return MeasuredDevice.of(device.info());
    }
  }
}
