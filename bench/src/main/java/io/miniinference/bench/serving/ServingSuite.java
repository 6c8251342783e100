package io.miniinference.bench.serving;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.Agreement;
import io.miniinference.bench.models.Feed;

/// The service under load, single images to `mnist-cnn`: beside a Spring Boot service over ONNX
/// Runtime (`bench/serving/Peer.java`), beside itself without batching, and beside the bytes alone,
/// which an endpoint of the peer's server answers without a model. Each is a process of its own,
/// and they take turns; this one is the client of all.
public final class ServingSuite {
  static final String CONNECTIONS = "connections";

  private static final String MODEL = "mnist-cnn";
  private static final int SCORES = 10;

  /// A model that answers the same bytes to all: what HTTP alone costs.
  private static final String ECHO = "echo";

  private ServingSuite() {}

  public static void measure(Findings findings) {
    if (!Service.isClone()) {
      findings.say("serving needs a clone: the peer's source and ./mie are not here");
      return;
    }
    Setting setting = findings.setting();
    findings.on(setting.device(), CONNECTIONS);
    ModelFile model = BundledModels.unpack(setting.engine().cache()).find(MODEL).orElseThrow();
    Feed feed = Feed.of(DeclaredTypes.of(model.read(), Map.of()).inputs(), 1);
    String named = "--engine.models.names=" + MODEL;
    try (Service engine = Service.engine(setting, named);
        Service alone = Service.engine(setting, named, "--engine.batching.enabled=false");
        Service peer = Service.peer(model.path())) {
      for (Protocol protocol : Protocol.values()) {
        List<Load> loads =
            List.of(
                protocol.load("engine", engine, MODEL, feed),
                protocol.load("Spring Boot over ONNX Runtime", peer, MODEL, feed),
                protocol.load("engine without batching", alone, MODEL, feed),
                protocol.load("bytes alone", peer, ECHO, feed));
        checkAnswers(protocol, loads, setting.precision());
        measure(protocol, loads, findings);
      }
    }
  }

  private static void measure(Protocol protocol, List<Load> loads, Findings findings) {
    for (int connections : findings.setting().batches(1, 16, 64)) {
      findings.say("%s, %d connections", protocol.text(), connections);
      Parameters at = Parameters.of("over", protocol.text()).with(CONNECTIONS, connections);
      Load.Race race = Load.inTurn(loads, connections, findings.setting().isQuick());
      findings.add(MODEL, at, Unit.REQUESTS_PER_SECOND, race.of(Load.Seen::rate));
      findings.add(MODEL + ", p50", at, Unit.MICROSECONDS, race.of(slice -> slice.micros(0.5)));
      findings.add(MODEL + ", p99", at, Unit.MICROSECONDS, race.of(slice -> slice.micros(0.99)));
    }
  }

  /* All but the last compute the same. */
  private static void checkAnswers(Protocol protocol, List<Load> loads, Precision precision) {
    List<Tensor> expected = List.of(scores(protocol, loads.getFirst()));
    for (Load load : loads.subList(1, loads.size() - 1)) {
      Agreement.check(expected, List.of(scores(protocol, load)), precision, load.subject());
    }
  }

  private static Tensor scores(Protocol protocol, Load load) {
    return Tensor.of(protocol.numbers(load.run(1, 100).body(), SCORES), SCORES);
  }
}
